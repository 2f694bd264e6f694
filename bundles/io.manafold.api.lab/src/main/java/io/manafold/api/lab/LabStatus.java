package io.manafold.api.lab;

/**
 * A lab that has a name.
 *
 * @param source {@code built in}, or the file it is read from
 * @param entries how many things its file lists; 0 if the file cannot be read as a lab
 * @param title its first comment line, or why the file cannot be read as a lab
 */
public record LabStatus(String name, boolean up, String source, int entries, String title) {
}
