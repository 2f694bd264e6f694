package io.manafold.testpmd.internal;

import io.manafold.api.refusal.Refusal;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How the last line ended, for programs, in the words that a command has for them. What is refused between lines, to a
 * port that comes, is not of a line.
 */
final class LineOutcome {
    private boolean ofLine;
    private boolean failed;
    private String error;
    private String errno;

    /** A line begins. */
    void begin() {
        ofLine = true;
        failed = false;
    }

    /** It has ended, and as it has now it stays until the next one. */
    void end() {
        ofLine = false;
    }

    /** Something was refused, of which a line tells the first alone; answers it as the prompt tells it. */
    String told(Refusal refused) {
        fail(refused.getMessage(), refused.errno().name());
        return Words.told(refused);
    }

    /** The program has a fault, for which there is no errno. */
    void fault(String sentence) {
        fail(sentence, null);
    }

    private void fail(String sentence, String name) {
        if (ofLine && !failed) {
            failed = true;
            error = sentence;
            errno = name;
        }
    }

    Map<String, Object> shown() {
        Map<String, Object> shown = new LinkedHashMap<>();
        if (failed) {
            shown.put("error", error);
            shown.put("errno", errno);
        }
        shown.put("status", failed ? 1 : 0);
        return shown;
    }
}
