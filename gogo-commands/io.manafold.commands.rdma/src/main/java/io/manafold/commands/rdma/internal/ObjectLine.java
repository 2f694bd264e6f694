package io.manafold.commands.rdma.internal;

import io.manafold.shell.Fields;

/** An object as iproute2's rdma shows it: words on a line for people, an object for programs. */
final class ObjectLine {
    private final StringBuilder text = new StringBuilder();
    private final Fields fields = new Fields();

    /** For people only. */
    ObjectLine text(String words) {
        text.append(words);
        return this;
    }

    /** For programs only. */
    ObjectLine key(String key, Object value) {
        fields.and(key, value);
        return this;
    }

    /** A name and its value, for both. */
    ObjectLine add(String name, Object value) {
        text.append(name).append(' ').append(value).append(' ');
        return key(name, value);
    }

    /** A name of what is off: a word for people, {@code false} for programs. */
    ObjectLine off(String name) {
        text.append(name).append(" off ");
        return key(name, false);
    }

    /** The bundle that it belongs to, as the real tool shows what belongs to the kernel. */
    ObjectLine owner(String bundle) {
        text.append("comm [").append(bundle).append("] ");
        return key("comm", bundle);
    }

    Fields fields() {
        return fields;
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
