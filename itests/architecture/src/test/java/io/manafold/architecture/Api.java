package io.manafold.architecture;

import aQute.bnd.differ.DiffPluginImpl;
import aQute.bnd.osgi.Jar;
import aQute.bnd.osgi.Resource;
import aQute.bnd.service.diff.Delta;
import aQute.bnd.service.diff.Tree;
import aQute.bnd.service.diff.Type;
import java.io.InputStream;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * An exported package as those who use it see it: its version, and its types with their members as bnd reads them,
 * each with what it means to add it or to take it away.
 */
record Api(String version, Tree tree) {
    /** An interface is for drivers to implement, or for the platform; what else is written there changes no API. */
    private static final Set<String> KINDS = Set.of("org.osgi.annotation.versioning.ProviderType",
            "org.osgi.annotation.versioning.ConsumerType");
    private static final String SEALED = "sealed";
    /** What Java gives to all objects. */
    private static final Set<String> OF_ALL_OBJECTS = Set.of("clone()", "finalize()");

    String name() {
        return tree.getName();
    }

    /** Interfaces that any bundle may implement and that do not say whether that is for drivers or for the platform. */
    List<String> silent() {
        List<String> silent = new ArrayList<>();
        for (Tree type : tree.getChildren()) {
            if (type.getType() == Type.INTERFACE && Arrays.stream(type.getChildren()).noneMatch(part ->
                    part.getType() == Type.ANNOTATED || part.getName().equals(SEALED))) {
                silent.add(type.getName());
            }
        }
        return silent;
    }

    /** The packages that a bundle exports. */
    static List<Api> of(Jar bundle) throws Exception {
        Map<String, List<Tree.Data>> sealed = permissions(bundle);
        List<Api> packages = new ArrayList<>();
        Tree api = new DiffPluginImpl().tree(bundle).get("<api>");
        for (Tree child : api.getChildren()) {
            if (child.getType() == Type.PACKAGE) {
                packages.add(new Api(versionOf(child), of(essence(child.serialize(), sealed))));
            }
        }
        return packages;
    }

    static Tree of(Tree.Data data) throws Exception {
        return new DiffPluginImpl().deserialize(data);
    }

    private static String versionOf(Tree exported) {
        for (Tree child : exported.getChildren()) {
            if (child.getType() == Type.VERSION) {
                return child.getName();
            }
        }
        return "0.0.0";
    }

    private static Tree.Data essence(Tree.Data node, Map<String, List<Tree.Data>> sealed) {
        boolean isType = node.type == Type.CLASS || node.type == Type.INTERFACE;
        List<Tree.Data> kept = new ArrayList<>(isType ? sealed.getOrDefault(node.name, List.of()) : List.of());
        for (Tree.Data child : node.children == null ? new Tree.Data[0] : node.children) {
            if (matters(child)) {
                kept.add(essence(child, sealed));
            }
        }
        node.children = kept.toArray(new Tree.Data[0]);
        return node;
    }

    private static boolean matters(Tree.Data node) {
        return switch (node.type) {
            case ANNOTATED -> KINDS.contains(node.name);
            case METHOD -> !OF_ALL_OBJECTS.contains(node.name);
            case VERSION, CLASS_VERSION, PROPERTY, DEPRECATED -> false;
            default -> true;
        };
    }

    /** Which types may extend the sealed ones: bnd does not look. */
    private static Map<String, List<Tree.Data>> permissions(Jar bundle) throws Exception {
        Map<String, List<Tree.Data>> sealed = new TreeMap<>();
        for (Map.Entry<String, Resource> entry : bundle.getResources().entrySet()) {
            if (entry.getKey().endsWith(".class") && !entry.getKey().startsWith("META-INF")) {
                ClassModel model;
                try (InputStream in = entry.getValue().openInputStream()) {
                    model = ClassFile.of().parse(in.readAllBytes());
                }
                model.findAttribute(Attributes.permittedSubclasses()).ifPresent(permitted -> {
                    List<Tree.Data> nodes = new ArrayList<>();
                    nodes.add(node(Type.ACCESS, SEALED, Delta.MAJOR, Delta.MINOR));
                    permitted.permittedSubclasses().forEach(one -> nodes.add(node(Type.CUSTOM,
                            "permits " + one.asInternalName().replace('/', '.'), Delta.MINOR, Delta.MAJOR)));
                    sealed.put(entry.getKey().replace(".class", "").replace('/', '.'), nodes);
                });
            }
        }
        return sealed;
    }

    static Tree.Data node(Type type, String name, Delta added, Delta removed) {
        Tree.Data node = new Tree.Data();
        node.type = type;
        node.name = name;
        node.add = added;
        node.rem = removed;
        node.children = new Tree.Data[0];
        return node;
    }
}
