package io.manafold.lab.internal;

import io.manafold.lab.internal.YamlNode.Broken;
import io.manafold.lab.internal.YamlNode.Items;
import io.manafold.lab.internal.YamlNode.Pair;
import io.manafold.lab.internal.YamlNode.Pairs;
import io.manafold.lab.internal.YamlNode.Text;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.DocumentStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Text to nodes. Works on the parser's events, not on its nodes: nothing is ever expanded or constructed, so that a
 * file costs what its length costs, and each refusal knows its place.
 */
final class YamlReader {
    static final String GAVE_UP = "the YAML parser cannot cope with this file";

    private static final Logger LOG = LoggerFactory.getLogger(YamlReader.class);
    private static final int DEEPEST = 8;

    private final String text;
    private final Problems problems;
    private final Iterator<Event> events;

    private YamlReader(String text, Problems problems) {
        this.text = text;
        this.problems = problems;
        // The parser fails where the end of its buffer cuts a surrogate pair in two, and where the end of the file cuts
        // an escape off; a buffer for all has no such end, and a line that ends is not cut off.
        String ended = text + "\n";
        LoadSettings settings = LoadSettings.builder().setUseMarks(true).setParseComments(false)
                .setBufferSize(ended.length() + 1).build();
        this.events = new Parse(settings).parseString(ended).iterator();
    }

    /** The file's one document; empty if there is none, or if what is wrong lets nothing else be said. */
    static Optional<YamlNode> read(String text, Problems problems) {
        try {
            return new YamlReader(text, problems).document();
        } catch (Unreadable e) {
            problems.add(e.position, e::getMessage);
        } catch (ReaderException e) {
            problems.add(positionAt(text, e.getPosition()), () ->
                    "the character U+%04X must not stand in a YAML file; remove it.".formatted(e.getCodePoint()));
        } catch (MarkedYamlEngineException e) {
            SourcePosition position = e.getProblemMark().or(e::getContextMark).map(YamlReader::position)
                    .orElse(SourcePosition.START);
            problems.add(position, () -> "this is not YAML: " + reason(e));
        } catch (YamlEngineException e) {
            problems.add(SourcePosition.START,
                    () -> "this is not YAML: " + Words.clean(String.valueOf(e.getMessage()), 200) + ".");
        } catch (RuntimeException e) {
            // An accident inside the parser is still the file's doing, and no concern of the command that reads it.
            LOG.warn("the YAML parser failed", e);
            problems.add(SourcePosition.START,
                    () -> GAVE_UP + "; remove what is unusual about the file, as special characters.");
        }
        return Optional.empty();
    }

    private Optional<YamlNode> document() throws Unreadable {
        Optional<YamlNode> document = Optional.empty();
        boolean begun = false;
        while (events.hasNext()) {
            Event event = events.next();
            if (event instanceof DocumentStartEvent) {
                if (begun) {
                    throw new Unreadable(position(event),
                            "a second document begins here; a lab is one document: remove the '---' and what follows.");
                }
                begun = true;
            } else if (event instanceof NodeEvent) {
                document = Optional.of(node(event, 1));
            }
        }
        return document;
    }

    private YamlNode node(Event event, int depth) throws Unreadable {
        SourcePosition position = position(event);
        if (depth > DEEPEST) {
            throw new Unreadable(position, "this is nested more than " + DEEPEST
                    + " deep; a lab is lists of entries with keys, nothing deeper.");
        }
        if (event instanceof AliasEvent alias) {
            problems.add(position, () -> Words.quote("*" + alias.getAlias())
                    + " refers to another place; a lab file says everything where it stands: write the value out.");
            return new Broken(position);
        }
        if (((NodeEvent) event).getAnchor().isPresent()) {
            problems.add(position, () -> Words.quote("&" + ((NodeEvent) event).getAnchor().get())
                    + " is an anchor; a lab file says everything where it stands: remove it.");
        }
        tag(event).ifPresent(tag -> problems.add(position, () -> Words.quote(tag)
                + " is a tag; in a lab file the key decides what a value is: remove the tag."));
        return switch (event.getEventId()) {
            case SequenceStart -> items(position, depth);
            case MappingStart -> pairs(position, depth);
            default -> text(position, (ScalarEvent) event);
        };
    }

    private static Text text(SourcePosition position, ScalarEvent event) {
        return new Text(position, event.getValue(), event.getScalarStyle() != ScalarStyle.PLAIN);
    }

    private Items items(SourcePosition position, int depth) throws Unreadable {
        List<YamlNode> items = new ArrayList<>();
        for (Event event = events.next(); event.getEventId() != Event.ID.SequenceEnd; event = events.next()) {
            items.add(node(event, depth + 1));
        }
        return new Items(position, items);
    }

    private Pairs pairs(SourcePosition position, int depth) throws Unreadable {
        Map<String, Pair> pairs = new HashMap<>();
        List<Pair> inOrder = new ArrayList<>();
        for (Event event = events.next(); event.getEventId() != Event.ID.MappingEnd; event = events.next()) {
            YamlNode key = node(event, depth + 1);
            YamlNode value = node(events.next(), depth + 1);
            if (!(key instanceof Text name)) {
                if (!(key instanceof Broken)) {
                    problems.add(key.position(), () -> key.kind() + " cannot be a key; a key is a word.");
                }
                continue;
            }
            Pair pair = new Pair(name, value);
            Pair earlier = pairs.putIfAbsent(name.text(), pair);
            if (earlier == null) {
                inOrder.add(pair);
            } else {
                problems.add(name.position(), () -> "the key " + Words.quote(name.text()) + " stands here already, "
                        + "in line " + earlier.key().position().line()
                        + "; each key may be given once: remove one of them.");
            }
        }
        return new Pairs(position, inOrder);
    }

    private static Optional<String> tag(Event event) {
        return switch (event) {
            case ScalarEvent scalar -> scalar.getTag();
            case CollectionStartEvent collection -> collection.getTag();
            default -> Optional.empty();
        };
    }

    private static String reason(MarkedYamlEngineException problem) {
        String what = problem.getProblem() == null ? String.valueOf(problem.getContext()) : problem.getProblem();
        String sentence = Words.clean(what.strip(), 200);
        if (problem.getProblem() != null && problem.getContext() != null) {
            sentence += " (" + Words.clean(problem.getContext().strip(), 100) + ")";
        }
        return sentence + (what.contains("TAB") ? "; indent with spaces." : "; check indentation, colons and quotes.");
    }

    private static SourcePosition position(Event event) {
        return event.getStartMark().map(YamlReader::position).orElse(SourcePosition.START);
    }

    private static SourcePosition position(Mark mark) {
        return new SourcePosition(mark.getLine() + 1, mark.getColumn() + 1);
    }

    static SourcePosition positionAt(String text, int position) {
        int end = Math.clamp(position, 0, text.length());
        int line = 1;
        int begin = 0;
        for (int at = text.indexOf('\n'); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) {
            line++;
            begin = at + 1;
        }
        return new SourcePosition(line, text.codePointCount(begin, end) + 1);
    }

    /** Ends the reading: what follows cannot be made sense of, or should not be. */
    private static final class Unreadable extends Exception {
        private static final long serialVersionUID = 1L;

        private final transient SourcePosition position;

        Unreadable(SourcePosition position, String sentence) {
            super(sentence, null, false, false);
            this.position = position;
        }
    }
}
