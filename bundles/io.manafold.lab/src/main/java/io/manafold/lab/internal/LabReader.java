package io.manafold.lab.internal;

import io.manafold.api.refusal.Refusal;
import io.manafold.lab.internal.YamlNode.Broken;
import io.manafold.lab.internal.YamlNode.Items;
import io.manafold.lab.internal.YamlNode.Pair;
import io.manafold.lab.internal.YamlNode.Pairs;
import io.manafold.lab.internal.YamlNode.Text;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** From a file to a lab, by the table of sections and keys. */
final class LabReader {
    private static final int MOST_ENTRIES = 1000;

    private final Problems problems = new Problems();
    private final List<Draft> drafts = new ArrayList<>();

    private LabReader() {
    }

    /** @throws Refusal with all that is wrong with the file, if something is */
    static Lab read(LabSource source) {
        LabReader reader = new LabReader();
        YamlReader.read(source.text(), reader.problems).ifPresent(reader::file);
        if (reader.problems.none()) {
            reader.drafts.sort(Comparator.comparing(Draft::section));
            new LabChecks(reader.drafts, reader.problems).check();
        }
        if (!reader.problems.none()) {
            throw reader.problems.refusal(source.file());
        }
        return new Lab(source, reader.drafts.stream().map(Draft::entry).toList());
    }

    private void file(YamlNode node) {
        if (node instanceof Text text && text.isNothing()) {
            return;
        }
        if (!(node instanceof Pairs lists)) {
            complain(node, "a lab file consists of the lists " + String.join(", ", Section.titles()) + ", but here is "
                    + node.kind() + ".");
            return;
        }
        for (Pair list : lists.pairs()) {
            Optional<Section> section = Section.titled(list.key().text());
            if (section.isPresent()) {
                section(section.get(), list.value());
            } else {
                problems.add(list.key().position(), () -> Words.quote(list.key().text())
                        + " is not a list of a lab file; nearest is '"
                        + Words.nearest(list.key().text(), Section.titles()) + "'. Lists: "
                        + String.join(", ", Section.titles()) + ".");
            }
        }
    }

    private void section(Section section, YamlNode node) {
        if (node instanceof Text text && text.isNothing()) {
            return;
        }
        if (!(node instanceof Items items)) {
            complain(node, section.title() + " is a list, but here is " + node.kind()
                    + "; begin each of its entries with '- '.");
            return;
        }
        for (YamlNode item : items.items()) {
            if (drafts.size() == MOST_ENTRIES) {
                problems.add(item.position(), () -> "a lab has at most " + MOST_ENTRIES
                        + " entries; this is one more.");
                return;
            }
            if (item instanceof Pairs pairs) {
                drafts.add(entry(section, pairs));
            } else {
                complain(item, "an entry of " + section.title() + " is a group of keys, but here is " + item.kind()
                        + "; write it as in '- " + section.keys().getFirst().name() + ": "
                        + section.keys().getFirst().example() + "'.");
            }
        }
    }

    private Draft entry(Section section, Pairs pairs) {
        Draft draft = new Draft(section, pairs.position());
        boolean whole = true;
        for (Pair pair : pairs.pairs()) {
            Optional<Key> key = section.key(pair.key().text());
            if (key.isPresent()) {
                whole &= value(draft, key.get(), pair);
            } else {
                problems.add(pair.key().position(), () -> Words.quote(pair.key().text()) + " is not a key of "
                        + section.title() + "; nearest is '" + Words.nearest(pair.key().text(), section.keyNames())
                        + "'. Keys: " + String.join(", ", section.keyNames()) + ".");
            }
        }
        for (Key key : section.keys()) {
            if (key.required() && pairs.pairs().stream().noneMatch(pair -> pair.key().text().equals(key.name()))) {
                whole = false;
                problems.add(draft.position(), () -> "this entry of " + section.title() + " has no '" + key.name()
                        + "', which it needs, as in '" + key.name() + ": " + key.example() + "'.");
            }
        }
        if (whole) {
            name(draft);
        }
        return draft;
    }

    private boolean value(Draft draft, Key key, Pair pair) {
        if (key.many()) {
            return values(draft, key, pair.value());
        }
        Object value = single(key, pair.value());
        if (value != null) {
            draft.give(key.name(), value, List.of(pair.value().position()));
        }
        return value != null;
    }

    private boolean values(Draft draft, Key key, YamlNode node) {
        if (!(node instanceof Items items)) {
            complain(node, key.name() + " is a list, but here is " + node.kind() + "; write it as in '" + key.name()
                    + ": " + key.example() + "'.");
            return false;
        }
        if (key.required() && items.items().isEmpty()) {
            complain(node, key.name() + " is empty but needs at least one member, as in '" + key.name() + ": "
                    + key.example() + "'.");
            return false;
        }
        List<Object> values = new ArrayList<>();
        List<SourcePosition> positions = new ArrayList<>();
        for (YamlNode item : items.items()) {
            Object value = single(key, item);
            if (value != null) {
                values.add(value);
                positions.add(item.position());
            }
        }
        draft.give(key.name(), values.toArray(String[]::new), positions);
        return values.size() == items.items().size();
    }

    /** The value, or {@code null} after a complaint. */
    private Object single(Key key, YamlNode node) {
        if (!(node instanceof Text text) || text.isNothing()) {
            complain(node, key.name() + " is " + key.type().label() + ", but here is " + node.kind()
                    + "; write it as in '" + key.name() + ": " + key.example() + "'.");
            return null;
        }
        if (text.quoted() && !key.type().isText()) {
            complain(node, key.name() + ": " + Words.quote(text.text()) + " is text because of how it is quoted, not "
                    + key.type().label() + "; write it without quotes.");
            return null;
        }
        try {
            return key.type().read(text.text());
        } catch (ValueType.Unfit e) {
            complain(node, key.name() + ": " + Words.quote(text.text()) + " " + e.getMessage() + ".");
            return null;
        }
    }

    private void complain(YamlNode node, String sentence) {
        if (!(node instanceof Broken)) {
            problems.add(node.position(), () -> sentence);
        }
    }

    /** The name is given, or made from what identifies the entry. */
    private void name(Draft draft) {
        Section section = draft.section();
        if (draft.has("name")) {
            draft.name(draft.text("name"));
            return;
        }
        String made = section.namedBy().stream().map(key -> draft.value(key, Object.class)).filter(v -> v != null)
                .map(String::valueOf).collect(Collectors.joining("-")).replaceAll("[.:\\[\\]]", "-");
        try {
            draft.name((String) section.key("name").orElseThrow().type().read(made));
        } catch (ValueType.Unfit e) {
            problems.add(draft.position(), () -> "the name made for this entry of " + section.title() + ", "
                    + Words.quote(made) + ", is no name; give it one, as in 'name: "
                    + section.key("name").orElseThrow().example() + "'.");
        }
    }
}
