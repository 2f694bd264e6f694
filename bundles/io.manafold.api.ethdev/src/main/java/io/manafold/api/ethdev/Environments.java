package io.manafold.api.ethdev;

import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/** Starts poll-mode environments. A service. */
@ProviderType
public interface Environments {
    /**
     * Starts an environment from the words that poll-mode applications take before {@code --}: cores, devices, buses.
     * Its ports are probed when this returns.
     *
     * @param words up to {@code --}, or all of them
     * @throws io.manafold.api.refusal.Refusal {@code EINVAL} for a word that is none or does not go with another,
     *         {@code ENODEV} if a device that was named cannot be had
     */
    Environment start(List<String> words);

    /** The words that environments take, for people. */
    String usage();

    /** Those that run. */
    List<Environment> running();
}
