package io.manafold.shell;

/**
 * Something that can stand at the cursor.
 *
 * @param value what to put there
 * @param description a few words, or empty
 * @param complete whether a space may follow; false for something that goes on, like a folder
 */
public record Candidate(String value, String description, boolean complete) {
}
