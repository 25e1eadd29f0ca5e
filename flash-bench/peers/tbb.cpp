// A graph of tasks as oneTBB's flow graph, which knows no data: each node adds one to its cell, and
// edges say what waits for what. Reads the graph from standard input (nodes, then for each node how
// many it waits for, and which), builds and runs it until the time is up, and prints the median
// nanoseconds of a node: `first replay`, where the first run includes building.
#include <oneapi/tbb/flow_graph.h>
#include <oneapi/tbb/global_control.h>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <vector>

using namespace oneapi::tbb;
using Node = flow::continue_node<flow::continue_msg>;
using Clock = std::chrono::steady_clock;

static double since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

static double median(std::vector<double> &times) {
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

int main(int argc, char **argv) {
    int workers = argc > 1 ? std::atoi(argv[1]) : 1;
    double seconds = argc > 2 ? std::atof(argv[2]) : 0.2;
    unsigned nodes;
    if (std::scanf("%u", &nodes) != 1) return 1;
    std::vector<std::vector<unsigned>> before(nodes);
    for (auto &list : before) {
        unsigned n;
        if (std::scanf("%u", &n) != 1) return 1;
        list.resize(n);
        for (auto &other : list)
            if (std::scanf("%u", &other) != 1) return 1;
    }
    global_control threads(global_control::max_allowed_parallelism, workers);
    std::vector<unsigned> cells(nodes);
    std::vector<double> first, replay;
    unsigned runs = 0;
    auto begun = Clock::now();
    while (first.size() < 3 || (first.size() < 1000 && since(begun) < seconds)) {
        auto start = Clock::now();
        {
            flow::graph graph;
            std::deque<Node> made;
            std::vector<Node *> sources;
            for (unsigned n = 0; n < nodes; n++) {
                unsigned *cell = &cells[n];
                made.emplace_back(graph, [cell](const flow::continue_msg &) { *cell += 1; });
                for (unsigned other : before[n]) flow::make_edge(made[other], made[n]);
                if (before[n].empty()) sources.push_back(&made[n]);
            }
            auto run = [&] {
                for (auto *node : sources) node->try_put(flow::continue_msg());
                graph.wait_for_all();
                runs++;
            };
            run();
            first.push_back(since(start) * 1e9 / nodes);
            for (int k = 0; k < 3; k++) {
                auto again = Clock::now();
                run();
                replay.push_back(since(again) * 1e9 / nodes);
            }
        }
    }
    for (unsigned cell : cells)
        if (cell != runs) return 4;
    std::printf("%f %f\n", median(first), median(replay));
    return 0;
}
