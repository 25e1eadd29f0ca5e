//! Every rule the front end can say broken, in one table. It holds no code: a rule is checked by
//! the one function that names it, and `tests/ui-tests/<topic>/<name>.rs` shows its message.

/// One rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The folder of its fixture.
    pub topic: &'static str,
    /// Its name, and that of its fixture.
    pub name: &'static str,
    /// What it asks.
    pub asks: &'static str,
}

macro_rules! rules {
    ($($topic:ident { $($rule:ident = $name:ident: $asks:literal;)* })*) => {
        $($(
            #[doc = $asks]
            pub const $rule: Rule = Rule {
                topic: stringify!($topic),
                name: stringify!($name),
                asks: $asks,
            };
        )*)*

        /// All rules.
        pub const RULES: &[Rule] = &[$($($rule,)*)*];
    };
}

rules! {
    option {
        UNKNOWN_OPTION = unknown_option: "every option is known";
        OPTION_TWICE = option_twice: "an option is given once";
        OPTION_FORM = option_form: "an option is written in its form";
        OPTION_SYNTAX = option_syntax: "options are `key`, `key = value` or `key(list)`, with commas between";
        DOUBLED_COMMA = doubled_comma: "something stands before each comma";
        CRATE_PATH = crate_path: "`crate = path` names a module";
        INPUTS_COUNT = inputs_count: "`inputs = n` fits the signature";
        OUTPUTS_LAST = outputs_last: "with `inputs = n`, `IO` comes before `OUT`";
        RANK_RANGE = rank_range: "a declared rank is 1 to 254";
        RANK_MATCHES = rank_matches: "a declared rank has every `global_id` of the body";
        PREDICATE_UNKNOWN = predicate_unknown: "`when` names a parameter";
        PREDICATE_TYPE = predicate_type: "what `when` names is a `bool`";
        UNKNOWN_NEED = unknown_need: "`requires(..)` names known capabilities";
        NEED_TWICE = need_twice: "`requires(..)` names a capability once";
        DETERMINISTIC_ATOMICS = deterministic_atomics: "`deterministic` excludes float atomics";
        DIMENSION = dimension: "dimensions in options count from 1 or are letters";
        DIMENSION_RANGE = dimension_range: "an option names a dimension that there can be";
        DIMENSION_WITHIN_RANK = dimension_within_rank: "an option names a dimension of the declared rank";
        SORT_BY_TWICE = sort_by_twice: "`sort_by` names a dimension once";
        GROUP_BY_TWICE = group_by_twice: "a `group_by` is given once";
        GROUP_BY_VALUE = group_by_value: "the value of a `group_by` is a constant";
        INDEX_TABLE_OF_BODY = index_table_of_body: "`index_table` is for kernels without a body";
        PORTABLE_WITHOUT_BODY = portable_without_body: "`portable` is said of a body";
        PART_BY_WITHOUT_BODY = part_by_without_body: "`part_by` without a function reads a body";
    }
    native {
        UNSAFE_SYNTAX = unsafe_syntax: "`unsafe(..)` holds native implementations";
        NATIVE_NEEDS_UNSAFE = native_needs_unsafe: "native code is declared in `unsafe(..)`";
        UNKNOWN_BACKEND = unknown_backend: "the kind of native code is known";
        NATIVE_FORM = native_form: "a native implementation has a list of keys";
        UNKNOWN_NATIVE_KEY = unknown_native_key: "every key of a native implementation is known";
        NATIVE_KEY_TWICE = native_key_twice: "a key of a native implementation is given once";
        NATIVE_SOURCE = native_source: "native code comes from one place";
        NATIVE_VALUE = native_value: "the value of a key has its type";
        NATIVE_ARGUMENT = native_argument: "`args(..)` names parameters and lengths of arrays";
        NATIVE_GLOBAL = native_global: "`globals(..)` fills variables with parameters and lengths of arrays";
        NATIVE_GLOBAL_TWICE = native_global_twice: "a variable of native code is filled once";
        NATIVE_GLOBAL_WRITTEN = native_global_written: "a variable of native code is filled with what is only read";
    }
    generic {
        GENERIC_NEEDS_INSTANCES = generic_needs_instances: "every generic parameter has a list of instances";
        INSTANCE_LIST = instance_list: "instances are a list in brackets";
        INSTANCE_LIST_EMPTY = instance_list_empty: "a list of instances is not empty";
        INSTANCE_SYNTAX = instance_syntax: "an instance is a type, or a constant expression";
        INSTANCE_TWICE = instance_twice: "an instance is listed once";
        NO_LIFETIMES = no_lifetimes: "kernels have no lifetimes";
        NO_BOUNDS = no_bounds: "generic parameters have no bounds";
        NO_DEFAULTS = no_defaults: "generic parameters have no defaults";
        NO_WHERE = no_where: "there is no `where` clause";
    }
    signature {
        SYNTAX = syntax: "the item is a function that can be read";
        NO_ASYNC = no_async: "a kernel is not `async`";
        NO_CONST = no_const: "a kernel is not `const`";
        NO_UNSAFE_FN = no_unsafe_fn: "a kernel is not `unsafe`";
        NO_EXTERN = no_extern: "a kernel is not `extern`";
        SELF_PARAMETER = self_parameter: "a kernel is a free function";
        NO_RESULT = no_result: "a kernel has no result";
        RESERVED_PREFIX = reserved_prefix: "names do not start with `__`";
        PARAMETER_PATTERN = parameter_pattern: "a parameter is one name";
        PARAMETER_MUT = parameter_mut: "a parameter is not `mut`";
        PARAMETER_TWICE = parameter_twice: "parameters have different names";
        PARAMETER_TYPE = parameter_type: "the type of a parameter has a form that binds";
        VECTOR_PARAMETER = vector_parameter: "a kernel takes slices, not vectors";
        REFERENCE_TO_VALUE = reference_to_value: "single values are passed by value";
        ELEMENT_TYPE = element_type: "an element is a number or a structure";
        BOOL_ELEMENT = bool_element: "`bool` is not an element";
        ARRAY_LIFETIME = array_lifetime: "arrays have no lifetime of their own";
        VIEW_SYNTAX = view_syntax: "a view is written `View<'_, T, D>`";
        VIEW_RANK = view_rank: "a view has rank 1 to 4";
        UNKNOWN_ROLE = unknown_role: "attributes of parameters are roles";
        ROLE_TWICE = role_twice: "a parameter has one role";
        OUT_SYNTAX = out_syntax: "an output is `#[out]` or `#[out(partial)]`";
        OUT_FORM = out_form: "an output is a written array";
        SCRATCH_SYNTAX = scratch_syntax: "a scratch array has a length";
        SCRATCH_FORM = scratch_form: "a scratch array is a written slice";
        SCRATCH_LENGTH = scratch_length: "the length of a scratch array is uniform";
        ATOMIC_SHARED = atomic_shared: "atomic cells are shared";
    }
    reduce {
        CELL_NEEDS_REDUCE = cell_needs_reduce: "a single `&mut T` is a reduction";
        REDUCE_SYNTAX = reduce_syntax: "a reduction names its operation";
        REDUCE_FORM = reduce_form: "a reduction is a `&mut T`";
        REDUCE_BOOL = reduce_bool: "a `bool` is reduced by `&`, `|` or `^`";
        REDUCE_UPDATE = reduce_update: "a reduction is updated by its operation";
        REDUCE_READ = reduce_read: "a reduction is not read in the launch";
    }
    own {
        OWN_ARITHMETIC = own_arithmetic: "an id stands alone in the index of a written array";
        OWN_SCATTER = own_scatter: "a written array is not written at a computed place";
        OWN_MISSES = own_misses: "the index of a written array has every id of the kernel";
        OWN_OFFSET = own_offset: "a written array has one own place";
        OWN_TRANSPOSED = own_transposed: "the ids have the same order at every access";
        NEIGHBOUR_READ = neighbour_read: "a written array is not read at another item's place";
        WRITE_TO_INPUT = write_to_input: "inputs are not written";
    }
    access {
        INDEX_RANK = index_rank: "an index has as many numbers as the array dimensions";
        INDEX_RANGE = index_range: "an index is not a range";
        ARRAY_AS_VALUE = array_as_value: "an array is used by its elements and extents";
        ARRAY_METHOD = array_method: "an array has `len` and `extent`";
        EXTENT_DIMENSION = extent_dimension: "`extent` takes a literal dimension of the array";
        ATOMIC_ASSIGN = atomic_assign: "atomic cells are changed by methods";
        ATOMIC_READ = atomic_read: "atomic cells are read by `load`";
        ATOMIC_METHOD = atomic_method: "operations of atomic cells are known";
        ASSIGN_PARAMETER = assign_parameter: "parameters are not assigned";
        INDEX_TYPE = index_type: "indices and what they are compared with are `usize`";
        ASSIGN_FIXED = assign_fixed: "what is assigned is `mut`";
        ASSIGN_UNKNOWN = assign_unknown: "what is assigned is known";
        ASSIGNABLE = assignable: "the left side of an assignment is a place";
        GLOBAL_ID_LITERAL = global_id_literal: "`global_id` takes a literal dimension";
        SIZE_WITHIN_RANK = size_within_rank: "`global_size` takes a dimension of the space";
        PHASE_ARGUMENTS = phase_arguments: "`phase` and `partition` take no arguments";
        LENGTH_OF_PHASE = length_of_phase: "the length of a scratch array does not depend on the phase";
        OFFSET_OF_PHASE = offset_of_phase: "the offset of an own place does not depend on the phase";
    }
    body {
        EXPRESSION_SIZE = expression_size: "expressions are of bounded size";
        ITEM_IN_BODY = item_in_body: "there are no items in a body";
        ATTRIBUTE_IN_BODY = attribute_in_body: "there are no attributes in a body";
        NO_PATTERNS = no_patterns: "bindings are names";
        NO_REFERENCES = no_references: "there are no references in a body";
        NO_DEREF = no_deref: "there is nothing to dereference";
        VALUE_AT_THE_END = value_at_the_end: "blocks of statements have no value";
        NO_LABELS = no_labels: "loops have no labels";
        BREAK_WITHOUT_VALUE = break_without_value: "`break` carries no value";
        JUMP_IN_LOOP = jump_in_loop: "`break` and `continue` stand in loops";
        RETURN_WITHOUT_VALUE = return_without_value: "a kernel returns no value";
        COUNTER_NAME = counter_name: "a loop counts with one name";
        LOOP_RANGE = loop_range: "`for` runs over a range";
        LOOP_ORDER = loop_order: "`.rev()` comes before `.step_by(k)`";
        REPEAT_LENGTH = repeat_length: "small arrays have a constant length";
        EMPTY_ARRAY = empty_array: "small arrays have elements";
        LITERAL_WIDTH = literal_width: "scalars have 8 to 64 bits";
        NO_TEXT = no_text: "there are no characters and strings";
        QUALIFIED_PATH = qualified_path: "there are no qualified paths";
        NO_SELF = no_self: "there is no `self`";
        ASSIGNMENT_AS_VALUE = assignment_as_value: "an assignment is a statement";
        CAST_TARGET = cast_target: "casts go to scalar types";
        SUBARRAY = subarray: "small arrays are used by elements";
        IF_NEEDS_ELSE = if_needs_else: "an `if` with a value has an `else`";
        STRUCT_REST = struct_rest: "structure literals name every field";
        STRUCT_FIELDS = struct_fields: "structures have named fields";
        NO_MATCH = no_match: "there is no `match`";
        NO_CLOSURES = no_closures: "there are no closures";
        NO_TRY = no_try: "there is no `?`";
        NO_AWAIT = no_await: "there is no `.await`";
        NO_TUPLES = no_tuples: "there are no tuples";
        RANGE_AS_VALUE = range_as_value: "ranges stand in `for` loops";
        NO_MACROS = no_macros: "there are no macros";
        STATEMENT_AS_VALUE = statement_as_value: "loops and jumps are statements";
        NO_PLACEHOLDER = no_placeholder: "`_` is not a value";
        OTHER_EXPRESSION = other_expression: "everything else that is Rust but not the kernel language";
        RESERVED_BARRIER = reserved_barrier: "`barrier` is reserved";
        RESERVED_SHARED = reserved_shared: "`shared!` is reserved";
        RESERVED_LOCAL_ID = reserved_local_id: "`local_id` is reserved";
        RESERVED_GROUP_ID = reserved_group_id: "`group_id` is reserved";
    }
    call {
        CALL_TARGET = call_target: "functions are called by their path";
        CALL_OF_VALUE = call_of_value: "values are not called";
        NO_TURBOFISH = no_turbofish: "there are no explicit generic arguments";
        TUPLE_STRUCT = tuple_struct: "there are no tuple structures";
        NO_RECURSION = no_recursion: "device functions do not call themselves";
        ASSOCIATED_FUNCTION = associated_function: "associated functions are those of `flash::math`";
        UNKNOWN_MATH = unknown_math: "functions of `flash::math` are known";
        MATH_ARITY = math_arity: "functions of `flash::math` get all their arguments";
        UNKNOWN_METHOD = unknown_method: "methods are functions of `flash::math`";
    }
    device {
        DEVICE_WITHOUT_ID = device_without_id: "device functions know no ids";
        DEVICE_OPTION = device_option: "options of device functions are known";
        DEVICE_BODY = device_body: "a device function has a body";
        DEVICE_GENERIC = device_generic: "a device function is not generic";
        DEVICE_ROLE = device_role: "arguments of device functions have no roles";
        DEVICE_ARGUMENT_TWICE = device_argument_twice: "arguments have different names";
        DEVICE_TYPE = device_type: "arguments and results are values";
        DEVICE_RESULT = device_result: "the body ends in the result";
    }
    host_task {
        TASK_OPTION = task_option: "options of host tasks are known";
        TASK_BODY = task_body: "a host task has a body";
        TASK_LIFETIME = task_lifetime: "a host task names no lifetimes";
        TASK_PATTERN = task_pattern: "a parameter of a host task is one name";
        TASK_PARAMETER_TWICE = task_parameter_twice: "parameters have different names";
        TASK_ROLE = task_role: "roles in host tasks are those of outputs";
        TASK_IMPL_TRAIT = task_impl_trait: "the type of state is named";
        TASK_TYPE = task_type: "a parameter of a host task has a type";
        TASK_VIEW = task_view: "a view of a host task has a literal rank";
        TASK_VIEW_LIFETIME = task_view_lifetime: "a view lives for one run";
    }
    pod {
        POD_STRUCT = pod_struct: "`Pod` is derived for structures";
        POD_OPTION = pod_option: "the only option is `crate = path`";
        POD_REPR = pod_repr: "the layout is fixed";
        POD_PACKED = pod_packed: "fields are aligned";
        POD_GENERIC = pod_generic: "the structure is not generic";
        POD_EMPTY = pod_empty: "there is a field";
        POD_BOOL = pod_bool: "no field is `bool`";
        POD_CHAR = pod_char: "no field is `char`";
        POD_REFERENCE = pod_reference: "no field is a reference";
        POD_POINTER = pod_pointer: "no field is a pointer";
        POD_FIELD = pod_field: "fields are numbers, arrays or structures";
    }
    pipeline {
        PIPELINE_RT = missing_rt: "a pipeline starts with `in rt;`";
        PIPELINE_OPTION = unknown_option: "the only option of a pipeline is `crate = path;`";
        STATEMENT = unknown_statement: "a statement is a stage, a loop, an `if`, a `let` or a `swap`";
        SEMICOLON = missing_semicolon: "a stage and a `swap` end with `;`";
        CONDITION = condition: "a condition has all its operands, and compares once";
        WHILE_MAX = while_without_max: "a `while` has a limit";
        BLOCK = missing_block: "`if`, `else` and `while` have a block";
        ITERATOR = other_iterator: "a loop runs over a range";
        OPEN_RANGE = open_range: "the range of a loop has two bounds";
        LOOP_VARIABLE = loop_pattern: "a loop has one plain variable";
        LOOP_BODY = loop_without_body: "a loop has a body";
        LOOP_DEPTH = loops_too_deep: "loops nest at most eight deep";
        ARRAY_OF_LOOP = array_of_loop: "an array depends on a loop variable through `at` only";
        CLOSURE_OF_LOOP = closure_of_loop: "a closure does not use a loop variable";
        CALLEE_OF_LOOP = callee_of_loop: "what is called does not depend on a loop variable";
        SWAP_ARITY = swap_arity: "`swap` takes two handles";
        SWAP_OF_LOOP = swap_of_loop: "`swap` does not depend on a loop variable";
        EMPTY_SPACE = empty_space: "an index space has at least one extent";
        LET_SYNTAX = let_syntax: "a `let` can be read as Rust";
        LET_VALUE = let_without_value: "a `let` has a value";
    }
}
