package io.manafold.launcher.internal.words;

import java.nio.file.Path;

/**
 * How a file of commands is carried out.
 *
 * @param keepGoing whether the lines after one that failed are carried out as well
 * @param report where it is written what became of each line, or {@code null}
 */
public record ScriptOptions(boolean keepGoing, ReportForm form, Path report) {
    /** Stops at the first line that fails and reports nothing. */
    public static final ScriptOptions USUAL = new ScriptOptions(false, null, null);

    /** What a report is written as. */
    public enum ReportForm {
        JUNIT, TAP;

        static ReportForm named(String word) throws UsageException {
            return switch (word) {
                case "junit" -> JUNIT;
                case "tap" -> TAP;
                default -> throw new UsageException("--report writes junit or tap, not '" + word + "', as in --report "
                        + "junit report.xml.");
            };
        }
    }
}
