package io.manafold.lab.internal;

import java.util.List;

/**
 * A piece of a YAML file, with its place. What a text means is left to the reader that knows what should stand there.
 */
sealed interface YamlNode {
    SourcePosition position();

    /** What it is, for a sentence. */
    String kind();

    /** @param quoted whether it is text because the file says so, whatever it looks like */
    record Text(SourcePosition position, String text, boolean quoted) implements YamlNode {
        boolean isNothing() {
            return !quoted && (text.isEmpty() || text.equals("~") || text.equalsIgnoreCase("null"));
        }

        @Override
        public String kind() {
            return isNothing() ? "nothing" : "the single value " + Words.quote(text);
        }
    }

    record Items(SourcePosition position, List<YamlNode> items) implements YamlNode {
        @Override
        public String kind() {
            return "a list";
        }
    }

    record Pairs(SourcePosition position, List<Pair> pairs) implements YamlNode {
        @Override
        public String kind() {
            return "a group of keys";
        }
    }

    /** Something that has been complained about already. */
    record Broken(SourcePosition position) implements YamlNode {
        @Override
        public String kind() {
            return "something unreadable";
        }
    }

    record Pair(Text key, YamlNode value) {
    }
}
