package io.manafold.launcher.internal.words;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * What the command line asks for.
 *
 * @param line the commands of {@code -c}, or {@code null}
 * @param script the file of {@code run}, or {@code null}
 * @param data the folder of {@code --data}, or {@code null}
 * @param lab the name or file of {@code --lab}, or {@code null}
 * @param scripting how the file of {@code run} is carried out
 */
public record Arguments(Mode mode, String line, Path script, Path data, String lab, ScriptOptions scripting) {
    /** Where the commands come from. */
    public enum Mode {
        /** A prompt if there is a terminal, else the lines of the standard input. */
        INPUT,
        LINE,
        SCRIPT,
        HEADLESS,
        ATTACH,
        HELP,
        VERSION
    }

    /** Reads a command line as the program was given it. */
    public static Arguments parse(String... words) throws UsageException {
        return new Parser(words).parse();
    }

    private static final class Parser {
        private final String[] words;
        private int next;
        private Mode mode;
        private String modeWord;
        private String line;
        private Path script;
        private Path data;
        private String lab;
        private ScriptOptions scripting = ScriptOptions.USUAL;

        Parser(String[] words) {
            this.words = words;
        }

        Arguments parse() throws UsageException {
            if (words.length > 0 && words[0].equals("attach")) {
                choose(Mode.ATTACH, words[next++]);
            }
            while (next < words.length) {
                String word = words[next++];
                int equals = word.startsWith("--") ? word.indexOf('=') : -1;
                take(equals < 0 ? word : word.substring(0, equals), equals < 0 ? null : word.substring(equals + 1));
            }
            if (scripting != ScriptOptions.USUAL && mode != Mode.SCRIPT) {
                throw new UsageException((scripting.keepGoing() ? "--keep-going" : "--report") + " is for run FILE.");
            }
            return new Arguments(mode == null ? Mode.INPUT : mode, line, script, data, lab, scripting);
        }

        private void take(String option, String attached) throws UsageException {
            switch (option) {
                case "-c" -> {
                    if (mode != Mode.ATTACH) {
                        choose(Mode.LINE, option);
                    } else if (line != null) {
                        throw twice(option);
                    }
                    line = value(option, attached, "the commands to carry out");
                }
                case "run" -> {
                    choose(Mode.SCRIPT, option);
                    script = path(option, value(option, attached, "a file of commands"));
                }
                case "--keep-going" -> {
                    if (attached != null) {
                        throw new UsageException(option + " takes no value.");
                    }
                    if (scripting.keepGoing()) {
                        throw twice(option);
                    }
                    scripting = new ScriptOptions(true, scripting.form(), scripting.report());
                }
                case "--report" -> {
                    if (scripting.report() != null) {
                        throw twice(option);
                    }
                    ScriptOptions.ReportForm form = ScriptOptions.ReportForm.named(value(option, attached,
                            "junit or tap, and a file"));
                    scripting = new ScriptOptions(scripting.keepGoing(), form, path(option, value(option, null,
                            "a file to write to")));
                }
                case "--headless" -> flag(Mode.HEADLESS, option, attached);
                case "-h", "--help" -> flag(Mode.HELP, option, attached);
                case "--version" -> flag(Mode.VERSION, option, attached);
                case "--data" -> {
                    if (data != null) {
                        throw twice(option);
                    }
                    data = path(option, value(option, attached, "a folder"));
                }
                case "--lab" -> {
                    if (mode == Mode.ATTACH) {
                        throw new UsageException("--lab is for starting a platform, and attach starts none.");
                    }
                    if (lab != null) {
                        throw twice(option);
                    }
                    lab = value(option, attached, "the name or the file of a lab");
                }
                default -> throw new UsageException(option.startsWith("-")
                        ? "There is no option " + option + "."
                        : "There is no word " + option + " here; commands follow -c, a file of them follows run.");
            }
        }

        private void flag(Mode wanted, String option, String attached) throws UsageException {
            if (attached != null) {
                throw new UsageException(option + " takes no value.");
            }
            choose(wanted, option);
        }

        private void choose(Mode wanted, String word) throws UsageException {
            if (mode != null) {
                throw modeWord.equals(word) ? twice(word)
                        : new UsageException(modeWord + " and " + word + " do not go together.");
            }
            mode = wanted;
            modeWord = word;
        }

        private String value(String option, String attached, String what) throws UsageException {
            String value = attached != null ? attached : next < words.length ? words[next++] : null;
            if (value == null) {
                throw new UsageException(option + " needs " + what + ".");
            }
            if (value.isEmpty() && !option.equals("-c")) {
                throw new UsageException(option + " needs " + what + ", not an empty word.");
            }
            return value;
        }

        private static Path path(String option, String word) throws UsageException {
            try {
                return Path.of(word).toAbsolutePath().normalize();
            } catch (InvalidPathException e) {
                throw new UsageException(option + " " + word + " cannot be the name of a file.");
            }
        }

        private static UsageException twice(String option) {
            return new UsageException(option + " is there twice.");
        }
    }
}
