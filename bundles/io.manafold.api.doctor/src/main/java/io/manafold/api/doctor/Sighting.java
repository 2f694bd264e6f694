package io.manafold.api.doctor;

import java.util.List;

/**
 * What was seen of an image that was booted.
 *
 * @param steps in the order in which they were waited for; those after one that failed are left out
 * @param verdicts what that says of ways of using MANA, by the names that {@link Survey} has for them
 * @param console the last lines of the machine's console, a stranger's words
 */
public record Sighting(List<Step> steps, List<Survey.Verdict> verdicts, List<String> console) {
    /**
     * Something that was waited for.
     *
     * @param what a sentence without a full stop
     * @param seconds from the machine's start to when it was seen or given up
     */
    public record Step(String name, Survey.Answer answer, String what, long seconds) {
    }
}
