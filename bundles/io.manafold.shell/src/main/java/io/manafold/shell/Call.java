package io.manafold.shell;

import java.io.InputStream;
import java.io.PrintStream;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.osgi.annotation.versioning.ProviderType;

/**
 * One use of a command. Asking for an option or argument that the syntax does not have is a mistake of the command and
 * throws {@link IllegalArgumentException}. What is printed goes where the user's output goes, also inside a pipe.
 */
@ProviderType
public interface Call {
    /** The verb, or empty for a command without verbs. */
    String verb();

    /** Whether the option was given, with or without a value. */
    boolean flag(String option);

    /** How many times it was given. */
    int count(String option);

    /** The value it was given last. */
    Optional<String> option(String option);

    /** All values it was given. */
    List<String> options(String option);

    /**
     * The option's value as a whole number.
     *
     * @throws UsageError if it is none, or not from {@code least} to {@code most}
     */
    OptionalInt number(String option, int least, int most);

    /** A positional argument that can be left out. */
    Optional<String> argument(String name);

    /** A positional argument that cannot be left out. */
    String required(String name);

    /** All words of the last, repeated argument. */
    List<String> arguments(String name);

    /** Every word after the command's name as it was typed, less {@code --json} and what says how that looks. */
    List<String> words();

    /** Whether the answer is for a program. */
    boolean json();

    /** How many columns a line has on the user's terminal; 0 in a pipe or a file, where it has any number. */
    int columns();

    InputStream in();

    /**
     * For text only: with {@link #json} use the methods that print. It tells of a reader who has gone by its error
     * state.
     */
    PrintStream out();

    PrintStream err();

    void print(Table table);

    void print(Tree tree);

    /** Prints a JSON object, or a line for each field. */
    void print(Fields fields);

    /** Prints a JSON array of objects, or each one's lines with a blank line between. */
    void print(Collection<Fields> objects);

    /** Prints a JSON object on one line of its own, as for a stream that has no end. */
    void printLine(Fields fields);
}
