package io.manafold.api.doctor;

import java.util.List;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;

/**
 * A tree of files as Linux has them, and the answers of commands under fixed names. Paths begin with a slash; links are
 * followed inside the tree and never out of it. Any thread may read. What is not there is empty; what is there and
 * cannot be read is a {@link io.manafold.api.refusal.Refusal}.
 */
@ProviderType
public interface Evidence {
    /** Where it is from, for people: {@code this platform}, {@code guest.tar}. */
    String target();

    Kind kind();

    /** Whether something is there, be it a file or a folder. */
    boolean has(String path);

    /** Names in a folder in order; empty if there is no such folder. */
    List<String> names(String path);

    /** The text of a file, cut after a mebibyte. */
    Optional<String> text(String path);

    /** What a link says, as it is written. */
    Optional<String> link(String path);

    /** Where a path leads when all links are followed. */
    Optional<String> real(String path);

    /** An ELF file, unpacked if it is packed. */
    Optional<Binary> binary(String path);

    /**
     * The initial file system that a file is, as a tree of its own: of it, modules of MANA and of synthetic devices are
     * known.
     */
    Optional<Evidence> archive(String path);

    /** What a command has answered: {@code dmesg}, {@code ethtool-S.eth1}. */
    Optional<String> answer(String name);

    /** Names of all answers in order. */
    List<String> answers();

    /** What evidence is about. */
    enum Kind {
        /** Adapters and drivers of this platform. */
        PLATFORM,
        /** Linux while it runs. */
        MACHINE,
        /** Files of a Linux that does not run. */
        IMAGE
    }
}
