package io.manafold.pmd.internal.words;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Words that an environment knows, with what they are followed by. */
enum EalWord {
    CORES(true, "-l", "--lcores"),
    CORE_MASK(true, "-c"),
    SERVICE_MASK(true, "-s", "-S"),
    MAIN_CORE(true, "--main-lcore"),
    ALLOW(true, "-a", "--allow"),
    BLOCK(true, "-b", "--block"),
    VDEV(true, "--vdev"),
    OLD_ALLOW(true, "-w", "--pci-whitelist"),
    OLD_BLOCK(true, "--pci-blacklist"),
    NO_PROBING(false, "-A", "--no-auto-probing"),
    PROBING(false, "--auto-probing"),
    NO_PCI(false, "--no-pci"),
    PREFIX(true, "--file-prefix"),
    ROLE(true, "--proc-type"),
    IN_MEMORY(false, "--in-memory"),
    NO_HUGE(false, "--no-huge"),
    LOG_LEVEL(true, "--log-level"),
    TELEMETRY(false, "--telemetry"),
    NO_TELEMETRY(false, "--no-telemetry"),
    MEGABYTES(true, "-m", "--memory-size"),
    NUMBER(true, "-n", "-r"),
    ADDRESSES(true, "--iova-mode"),
    STRICT_CORES(false, "--strict-cores"),
    DRY_RUN(false, "--dry-run"),
    CHECK(false, "--check"),
    RUN_TO_COMPLETION(false, "--run-to-completion"),
    /** Without effect here, with a value. */
    IDLE_VALUE(true, "-d", "--driver-path", "--numa-mem", "--socket-mem", "--numa-limit", "--socket-limit",
            "--huge-dir", "--trace", "--trace-dir", "--trace-bufsz", "--trace-mode", "--vfio-intr", "--vfio-vf-token",
            "--mbuf-pool-ops-name", "--base-virtaddr", "--force-max-simd-bitwidth", "--huge-worker-stack"),
    /** Without effect here. */
    IDLE(false, "--single-file-segments", "--legacy-mem", "--match-allocations", "--create-uio-dev",
            "--no-hpet", "--vmware-tsc-map", "--no-shconf"),
    /** Without effect here; a value may follow =. */
    HUGE_UNLINK(false, "--huge-unlink"),
    SYSLOG(false, "--syslog"),
    VERSION(false, "-v", "--version"),
    HELP(false, "-h", "--help");

    private static final Map<String, EalWord> BY_TEXT = new HashMap<>();

    private final boolean hasValue;
    private final String[] texts;

    static {
        for (EalWord word : values()) {
            for (String text : word.texts) {
                BY_TEXT.put(text, word);
            }
        }
    }

    EalWord(boolean hasValue, String... texts) {
        this.hasValue = hasValue;
        this.texts = texts;
    }

    /** The word of a text, or {@code null}. */
    static EalWord of(String text) {
        return BY_TEXT.get(text);
    }

    /** Under which it is known. */
    List<String> texts() {
        return List.of(texts);
    }

    /** Whether = and a value may follow. */
    boolean mayHaveValue() {
        return hasValue || this == HUGE_UNLINK || this == SYSLOG;
    }

    /** Whether a value always follows. */
    boolean hasValue() {
        return hasValue;
    }
}
