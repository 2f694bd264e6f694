package io.manafold.architecture;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.reflect.AccessFlag;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Which monitors and locks threads take while they hold others, as far as class files say it: by calls of methods whose
 * class is known, or whose interface one class alone implements. All monitors of a file count as one, as do its locks.
 */
final class MonitorGraph {
    /** A method of a class, by name and descriptor. */
    private record Method(String owner, String name, String type) {
    }

    /** What a method takes itself, and calls; those it does with a monitor held, by monitor. */
    private static final class Code {
        final Set<String> taken = new TreeSet<>();
        final Set<Method> calls = new HashSet<>();
        final Map<String, Set<String>> takenInside = new HashMap<>();
        final Map<String, Set<Method>> callsInside = new HashMap<>();
    }

    private static final Set<String> LOCKS = Set.of("java/util/concurrent/locks/ReentrantLock",
            "java/util/concurrent/locks/Lock");
    private static final Set<String> TAKING = Set.of("lock", "lockInterruptibly", "tryLock");

    private final Map<String, ClassModel> classes = new HashMap<>();
    private final Map<String, Set<String>> implementers = new HashMap<>();
    private final Map<Method, Code> codes = new HashMap<>();
    private final Map<Method, Set<String>> reached = new HashMap<>();
    private final Set<String> monitors = new TreeSet<>();

    /** Reads all bundles' classes below a folder. */
    static MonitorGraph of(List<Path> folders) throws IOException {
        MonitorGraph graph = new MonitorGraph();
        for (Path folder : folders) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.filter(MonitorGraph::isOfABundle).toList()) {
                    graph.add(ClassFile.of().parse(file));
                }
            }
        }
        graph.read();
        return graph;
    }

    static MonitorGraph of(ClassModel... some) {
        MonitorGraph graph = new MonitorGraph();
        for (ClassModel one : some) {
            graph.add(one);
        }
        graph.read();
        return graph;
    }

    private static boolean isOfABundle(Path file) {
        return file.toString().endsWith(".class") && file.toString().contains("/target/classes/");
    }

    private void add(ClassModel model) {
        String name = model.thisClass().asInternalName();
        classes.put(name, model);
        if (!model.flags().has(AccessFlag.INTERFACE)) {
            model.interfaces().forEach(one -> implementers.computeIfAbsent(one.asInternalName(),
                    key -> new TreeSet<>()).add(name));
        }
    }

    private void read() {
        for (ClassModel model : classes.values()) {
            for (MethodModel method : model.methods()) {
                codes.put(new Method(model.thisClass().asInternalName(), method.methodName().stringValue(),
                        method.methodType().stringValue()), code(model, method));
            }
        }
        boolean more = true;
        codes.forEach((method, code) -> reached.put(method, new TreeSet<>(code.taken)));
        while (more) {
            more = false;
            for (Map.Entry<Method, Code> one : codes.entrySet()) {
                Set<String> all = reached.get(one.getKey());
                for (Method called : one.getValue().calls) {
                    more |= all.addAll(reached(called));
                }
            }
        }
    }

    private Code code(ClassModel model, MethodModel method) {
        Code code = new Code();
        String monitor = "monitor of " + file(model.thisClass().asInternalName());
        String lock = "lock of " + file(model.thisClass().asInternalName());
        Held held = new Held(monitor, lock);
        if (method.flags().has(AccessFlag.SYNCHRONIZED)) {
            code.taken.add(monitor);
            held.always = true;
        }
        if (method.code().isPresent()) {
            // a compiler writes what is done with a monitor held between taking it and giving it back
            for (CodeElement element : method.code().get()) {
                if (element instanceof MonitorInstruction one && one.opcode() == Opcode.MONITORENTER) {
                    take(code, monitor, held.now());
                    held.monitors++;
                } else if (element instanceof MonitorInstruction) {
                    held.monitors = Math.max(0, held.monitors - 1);
                } else if (element instanceof InvokeInstruction call) {
                    call(code, call, lock, held);
                }
            }
        }
        if (code.taken.contains(monitor)) {
            monitors.add(file(model.thisClass().asInternalName()));
        }
        return code;
    }

    /** What is held at a place of a method. */
    private static final class Held {
        private final String monitor;
        private final String lock;
        private boolean always;
        private int monitors;
        private int locks;

        Held(String monitor, String lock) {
            this.monitor = monitor;
            this.lock = lock;
        }

        List<String> now() {
            List<String> all = new ArrayList<>();
            if (always || monitors > 0) {
                all.add(monitor);
            }
            if (locks > 0) {
                all.add(lock);
            }
            return all;
        }
    }

    private void call(Code code, InvokeInstruction call, String lock, Held held) {
        String owner = call.owner().asInternalName();
        if (LOCKS.contains(owner) && TAKING.contains(call.name().stringValue())) {
            take(code, lock, held.now());
            held.locks++;
            return;
        }
        if (LOCKS.contains(owner) && call.name().stringValue().equals("unlock")) {
            held.locks = Math.max(0, held.locks - 1);
            return;
        }
        Method target = target(owner, call.name().stringValue(), call.type().stringValue());
        if (target != null) {
            code.calls.add(target);
            held.now().forEach(one -> code.callsInside.computeIfAbsent(one, key -> new HashSet<>()).add(target));
        }
    }

    private static void take(Code code, String what, List<String> held) {
        code.taken.add(what);
        held.forEach(one -> code.takenInside.computeIfAbsent(one, key -> new TreeSet<>()).add(what));
    }

    /** The method that a call gets to, or {@code null} if that is not known. */
    private Method target(String owner, String name, String type) {
        for (String at = owner; at != null && classes.containsKey(at);) {
            ClassModel model = classes.get(at);
            if (model.flags().has(AccessFlag.INTERFACE)) {
                Set<String> all = implementers.getOrDefault(at, Set.of());
                return all.size() == 1 ? target(all.iterator().next(), name, type) : null;
            }
            if (model.methods().stream().anyMatch(one -> one.methodName().stringValue().equals(name)
                    && one.methodType().stringValue().equals(type))) {
                return new Method(at, name, type);
            }
            at = model.superclass().map(one -> one.asInternalName()).orElse(null);
        }
        return null;
    }

    private Set<String> reached(Method method) {
        return reached.getOrDefault(method, Set.of());
    }

    /** {@code io.manafold.adapter.internal.Faults}, for what is nested in it, too. */
    private static String file(String internalName) {
        int nested = internalName.indexOf('$');
        return (nested < 0 ? internalName : internalName.substring(0, nested)).replace('/', '.');
    }

    /** The files whose classes have monitors. */
    Set<String> monitors() {
        return monitors;
    }

    int classes() {
        return classes.size();
    }

    /** What is taken while a monitor is held, by monitor; itself is left out. */
    Map<String, Set<String>> nested() {
        Map<String, Set<String>> edges = new TreeMap<>();
        for (Code code : codes.values()) {
            code.takenInside.forEach((held, taken) -> edges.computeIfAbsent(held, key -> new TreeSet<>())
                    .addAll(taken));
            code.callsInside.forEach((held, calls) -> calls.forEach(call -> edges.computeIfAbsent(held,
                    key -> new TreeSet<>()).addAll(reached(call))));
        }
        edges.forEach((held, taken) -> taken.remove(held));
        edges.values().removeIf(Set::isEmpty);
        return edges;
    }

    /** Monitors from which others lead back to them: each with what it can reach. */
    Map<String, Set<String>> circles() {
        Map<String, Set<String>> edges = nested();
        Map<String, Set<String>> circles = new TreeMap<>();
        for (String from : edges.keySet()) {
            for (String next : edges.get(from)) {
                if (leadsTo(edges, next, from)) {
                    circles.computeIfAbsent(from, key -> new TreeSet<>()).add(next);
                }
            }
        }
        return circles;
    }

    private static boolean leadsTo(Map<String, Set<String>> edges, String from, String to) {
        Set<String> seen = new TreeSet<>(Set.of(from));
        Deque<String> open = new ArrayDeque<>(seen);
        while (!open.isEmpty()) {
            for (String next : edges.getOrDefault(open.pop(), Set.of())) {
                if (next.equals(to)) {
                    return true;
                }
                if (seen.add(next)) {
                    open.push(next);
                }
            }
        }
        return false;
    }
}
