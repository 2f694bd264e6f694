package io.manafold.api.adapter;

/**
 * A fault that a script of an adapter brings.
 *
 * @param script the script's name
 * @param when its turn, in words: {@code now}, {@code after 10 answers}, {@code every 3}
 */
public record ScriptedFault(Fault fault, String script, String when) {
}
