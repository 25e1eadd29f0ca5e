// A graph of tasks under StarPU, each of which adds one to its cell. Reads the graph from standard
// input (cells, nodes, then for each node its cell, how many cells it reads, and which), runs it
// until the time is up, and prints the median nanoseconds of a node: `submit run`.
#include <starpu.h>
#include <stdio.h>
#include <stdlib.h>

static void step(void *buffers[], void *arg) {
    (void)arg;
    *(unsigned *)STARPU_VARIABLE_GET_PTR(buffers[0]) += 1;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv) {
    int workers = argc > 1 ? atoi(argv[1]) : 1;
    double seconds = argc > 2 ? atof(argv[2]) : 0.2;
    unsigned cells, nodes;
    if (scanf("%u %u", &cells, &nodes) != 2) return 1;
    struct starpu_data_descr **uses = malloc(nodes * sizeof *uses);
    unsigned *count = malloc(nodes * sizeof *count);
    unsigned *value = calloc(cells, sizeof *value), *expected = calloc(cells, sizeof *expected);
    starpu_data_handle_t *handles = malloc(cells * sizeof *handles);

    struct starpu_conf conf;
    starpu_conf_init(&conf);
    conf.ncpus = workers;
    conf.ncuda = 0;
    conf.nopencl = 0;
    conf.catch_signals = 0;
    if (starpu_init(&conf) != 0) return 2;
    struct starpu_codelet codelet;
    starpu_codelet_init(&codelet);
    codelet.cpu_funcs[0] = step;
    codelet.nbuffers = STARPU_VARIABLE_NBUFFERS;
    for (unsigned c = 0; c < cells; c++)
        starpu_variable_data_register(&handles[c], STARPU_MAIN_RAM, (uintptr_t)&value[c], sizeof *value);
    for (unsigned n = 0; n < nodes; n++) {
        unsigned cell, reads;
        if (scanf("%u %u", &cell, &reads) != 2 || cell >= cells) return 1;
        uses[n] = malloc((reads + 1) * sizeof **uses);
        uses[n][0].handle = handles[cell];
        uses[n][0].mode = STARPU_RW;
        expected[cell]++;
        for (unsigned k = 0; k < reads; k++) {
            if (scanf("%u", &cell) != 1 || cell >= cells) return 1;
            uses[n][k + 1].handle = handles[cell];
            uses[n][k + 1].mode = STARPU_R;
        }
        count[n] = reads + 1;
    }

    double submit[10000], run[10000];
    unsigned rounds = 0;
    double begun = starpu_timing_now();
    while (rounds < 3 || (rounds < 10000 && starpu_timing_now() - begun < seconds * 1e6)) {
        double start = starpu_timing_now();
        for (unsigned n = 0; n < nodes; n++)
            if (starpu_task_insert(&codelet, STARPU_DATA_MODE_ARRAY, uses[n], (int)count[n], 0) != 0) return 3;
        double middle = starpu_timing_now();
        starpu_task_wait_for_all();
        double end = starpu_timing_now();
        submit[rounds] = (middle - start) * 1e3 / nodes;
        run[rounds++] = (end - start) * 1e3 / nodes;
    }
    for (unsigned c = 0; c < cells; c++) {
        starpu_data_unregister(handles[c]);
        if (value[c] != expected[c] * rounds) return 4;
    }
    starpu_shutdown();
    qsort(submit, rounds, sizeof *submit, compare);
    qsort(run, rounds, sizeof *run, compare);
    printf("%f %f\n", submit[rounds / 2], run[rounds / 2]);
    return 0;
}
