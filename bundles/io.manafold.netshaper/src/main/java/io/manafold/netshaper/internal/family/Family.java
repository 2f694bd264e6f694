package io.manafold.netshaper.internal.family;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/** A family of operations, as its file describes it. */
public final class Family {
    /** The family of shapers. */
    public static final Family NET_SHAPER = bundled("/families/net-shaper.yaml");

    private final String name;
    private final int version;
    private final Map<String, AttributeSet> sets;
    private final Map<String, Operation> operations;

    Family(String name, int version, Map<String, AttributeSet> sets, Map<String, Operation> operations) {
        this.name = name;
        this.version = version;
        this.sets = sets;
        this.operations = operations;
    }

    private static Family bundled(String resource) {
        try (InputStream text = Family.class.getResourceAsStream(resource)) {
            return FamilyReader.read(text);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    public String name() {
        return name;
    }

    public int version() {
        return version;
    }

    public AttributeSet set(String wanted) {
        return sets.get(wanted);
    }

    public List<Operation> operations() {
        return List.copyOf(operations.values());
    }

    /** The operation of that name, or {@code null}. */
    public Operation named(String wanted) {
        return operations.get(wanted);
    }

    /** The operation of that number, or {@code null}. */
    public Operation numbered(int id) {
        for (Operation operation : operations.values()) {
            if (operation.id() == id) {
                return operation;
            }
        }
        return null;
    }
}
