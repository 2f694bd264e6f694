package io.manafold.api.device;

import java.util.Optional;

/**
 * One thing that is kept.
 *
 * @param lab the lab it was set in; empty if there was none
 * @param port adapter and port: {@code one/1}
 * @param stated what the lab's file said of it when it was set, if it said something
 * @param byHand whether an administrator has set it; else the driver chose it, and it shall stay
 */
public record SavedSetting(String subject, Optional<String> lab, String port, String word, String value,
        Optional<String> stated, boolean byHand) {
}
