package io.manafold.api.adapter;

/**
 * A status that a message of the hardware channel can be answered with.
 *
 * @param code of the answer's head
 * @param name a word with dashes
 * @param meaning what it says to a driver, in a sentence
 */
public record MessageStatus(int code, String name, String meaning) {
}
