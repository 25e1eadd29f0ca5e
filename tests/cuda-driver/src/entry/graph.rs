//! Graphs: made, asked for their nodes and edges, ended.
#![allow(unsafe_code, reason = "functions are exported by name")]

use super::{In, Out, entries};
use crate::codes::{Code, Outcome};
use crate::context::usable;
use crate::driver::driver;
use crate::graph::{Condition, Graph, What};
use crate::locks::lock;
use crate::stream::Kind;
use crate::task::Task;

/// Gives a list, or only its length where there is no place for it.
fn give(list: &[usize], out: Out<usize>, count: Out<usize>) -> Outcome {
    if out.is_null() {
        return count.put(list.len());
    }
    let room = count.get()?;
    out.put_all(list, room)?;
    // Callers with more room than there is read zeros there.
    for number in list.len()..room {
        out.slot(number).put(0)?;
    }
    count.put(list.len())
}

/// The number that the headers have for a kind of node.
fn kind(what: &What) -> u32 {
    match what {
        What::Child(_) => 4,
        What::Conditional { .. } => 13,
        What::Task(task) => match task.kind() {
            Kind::Kernel => 0,
            Kind::Up | Kind::Down | Kind::Across => 1,
            Kind::Fill => 2,
            Kind::Host => 3,
            Kind::Graph => 4,
            Kind::Free => 11,
            Kind::Record | Kind::Wait => 5,
        },
    }
}

fn edges(graph: &Graph) -> (Vec<usize>, Vec<usize>) {
    let nodes = lock(&graph.nodes);
    let pairs = nodes.iter().enumerate().flat_map(|(second, node)| {
        node.after.iter().map(move |&first| (graph.node_handle(first), graph.node_handle(second)))
    });
    pairs.unzip()
}

fn order(graph: usize, from: In<usize>, to: In<usize>, count: usize) -> Outcome {
    let graph = driver().graphs.get(graph)?;
    for (first, second) in from.list(count)?.into_iter().zip(to.list(count)?) {
        graph.order(graph.node_of(first)?, graph.node_of(second)?);
    }
    Ok(())
}

fn before(node: usize) -> Outcome<Vec<usize>> {
    let (graph, number) = Graph::of_node(node)?;
    let nodes = lock(&graph.nodes);
    let after = nodes.get(number).map_or(&[][..], |node| &node.after);
    Ok(after.iter().map(|&other| graph.node_handle(other)).collect())
}

fn behind(node: usize) -> Outcome<Vec<usize>> {
    let (graph, number) = Graph::of_node(node)?;
    let nodes = lock(&graph.nodes);
    let behind = nodes.iter().enumerate().filter(|(_, node)| node.after.contains(&number));
    Ok(behind.map(|(other, _)| graph.node_handle(other)).collect())
}

entries! {
    fn cuGraphCreate(out: Out<usize>, flags: u32) |_record| {
        if flags != 0 {
            return Err(Code::INVALID_VALUE);
        }
        out.put(Graph::create().handle)
    }

    fn cuGraphClone(out: Out<usize>, graph: usize) |_record| {
        let nodes = driver().graphs.get(graph)?.copied().nodes;
        let graph = driver().graphs.insert(|handle| Graph { handle, nodes });
        out.put(graph.handle)
    }

    fn cuGraphDestroy(graph: usize) |_record| {
        driver().graphs.get(graph)?.destroy()
    }

    fn cuGraphGetNodes(graph: usize, out: Out<usize>, count: Out<usize>) |_record| {
        let graph = driver().graphs.get(graph)?;
        let len = lock(&graph.nodes).len();
        let handles: Vec<usize> = (0..len).map(|node| graph.node_handle(node)).collect();
        give(&handles, out, count)
    }

    fn cuGraphGetRootNodes(graph: usize, out: Out<usize>, count: Out<usize>) |_record| {
        let graph = driver().graphs.get(graph)?;
        let nodes = lock(&graph.nodes);
        let roots = nodes.iter().enumerate().filter(|(_, node)| node.after.is_empty());
        let handles: Vec<usize> = roots.map(|(node, _)| graph.node_handle(node)).collect();
        drop(nodes);
        give(&handles, out, count)
    }

    fn cuGraphGetEdges(
        graph: usize,
        from: Out<usize>,
        to: Out<usize>,
        count: Out<usize>,
    ) |_record| {
        let (first, second) = edges(&*driver().graphs.get(graph)?);
        if !from.is_null() {
            from.put_all(&first, count.get()?)?;
        }
        give(&second, to, count)
    }

    fn cuGraphGetEdges_v2(
        graph: usize,
        from: Out<usize>,
        to: Out<usize>,
        data: Out<u64>,
        count: Out<usize>,
    ) |_record| {
        let (first, second) = edges(&*driver().graphs.get(graph)?);
        if !from.is_null() {
            from.put_all(&first, count.get()?)?;
        }
        if !data.is_null() {
            data.put_all(&vec![0; first.len()], count.get()?)?;
        }
        give(&second, to, count)
    }

    fn cuGraphAddDependencies(
        graph: usize,
        from: In<usize>,
        to: In<usize>,
        count: usize,
    ) |_record| {
        order(graph, from, to, count)
    }

    fn cuGraphAddDependencies_v2(
        graph: usize,
        from: In<usize>,
        to: In<usize>,
        _data: In<u64>,
        count: usize,
    ) |_record| {
        order(graph, from, to, count)
    }

    fn cuGraphNodeGetType(node: usize, out: Out<u32>) |_record| {
        let (graph, number) = Graph::of_node(node)?;
        let nodes = lock(&graph.nodes);
        out.put(nodes.get(number).map_or(5, |node| kind(&node.what)))
    }

    fn cuGraphNodeGetDependencies(node: usize, out: Out<usize>, count: Out<usize>) |_record| {
        give(&before(node)?, out, count)
    }

    fn cuGraphNodeGetDependencies_v2(
        node: usize,
        out: Out<usize>,
        _data: Out<u64>,
        count: Out<usize>,
    ) |_record| {
        give(&before(node)?, out, count)
    }

    fn cuGraphNodeGetDependentNodes(node: usize, out: Out<usize>, count: Out<usize>) |_record| {
        give(&behind(node)?, out, count)
    }

    fn cuGraphNodeGetDependentNodes_v2(
        node: usize,
        out: Out<usize>,
        _data: Out<u64>,
        count: Out<usize>,
    ) |_record| {
        give(&behind(node)?, out, count)
    }

    fn cuGraphDestroyNode(node: usize) |_record| {
        let (graph, number) = Graph::of_node(node)?;
        // Other nodes keep their numbers, so what is left does nothing.
        if let Some(node) = lock(&graph.nodes).get_mut(number) {
            node.what = What::Task(Task::Empty);
            node.after.clear();
        }
        Ok(())
    }

    fn cuGraphConditionalHandleCreate(
        out: Out<u64>,
        graph: usize,
        _context: usize,
        value: u32,
        flags: u32,
    ) |_record| {
        usable()?;
        driver().graphs.get(graph)?;
        if flags > 1 {
            return Err(Code::INVALID_VALUE);
        }
        out.put(Condition::create((flags == 1).then_some(value)).handle as u64)
    }
}
