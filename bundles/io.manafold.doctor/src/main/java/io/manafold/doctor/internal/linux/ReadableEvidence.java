package io.manafold.doctor.internal.linux;

import io.manafold.api.doctor.Binary;
import io.manafold.api.doctor.Evidence;
import io.manafold.api.doctor.Finding;
import io.manafold.api.refusal.Refusal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Evidence of which some files and folders cannot be read, as those of root for other users: they are as if they were
 * not there, and it is remembered which they are. For one thread.
 */
public final class ReadableEvidence implements Evidence {
    private static final int MOST = 8;

    private final Evidence all;
    private final Map<String, String> unread = new LinkedHashMap<>();

    public ReadableEvidence(Evidence all) {
        this.all = all;
    }

    private <T> T read(String path, Supplier<T> reads, T otherwise) {
        try {
            return reads.get();
        } catch (Refusal e) {
            if (unread.size() < MOST) {
                unread.putIfAbsent(path, e.getMessage());
            }
            return otherwise;
        }
    }

    public boolean isWhole() {
        return unread.isEmpty();
    }

    /** What could not be read, and why. */
    public List<Finding.Line> unread() {
        return unread.entrySet().stream().map(one -> new Finding.Line(one.getKey(), one.getValue())).toList();
    }

    /** A finding with what it does not know of: that all is well is then not shown. */
    public Finding told(Finding finding) {
        if (isWhole()) {
            return finding;
        }
        Finding told = finding.state() != Finding.State.OK ? finding
                : Finding.warn("not shown, for some of it cannot be read; in the rest " + finding.summary())
                .mend("# look again as root");
        if (finding.state() == Finding.State.OK) {
            for (Finding.Line line : finding.evidence()) {
                told = told.line(line.source(), line.line());
            }
        }
        for (Finding.Line line : unread()) {
            told = told.line(line.source(), line.line());
        }
        return told;
    }

    @Override
    public String target() {
        return all.target();
    }

    @Override
    public Kind kind() {
        return all.kind();
    }

    @Override
    public boolean has(String path) {
        return all.has(path);
    }

    @Override
    public List<String> names(String path) {
        return read(path, () -> all.names(path), List.of());
    }

    @Override
    public Optional<String> text(String path) {
        return read(path, () -> all.text(path), Optional.empty());
    }

    @Override
    public Optional<String> link(String path) {
        return read(path, () -> all.link(path), Optional.empty());
    }

    @Override
    public Optional<String> real(String path) {
        return read(path, () -> all.real(path), Optional.empty());
    }

    @Override
    public Optional<Binary> binary(String path) {
        return all.binary(path);
    }

    @Override
    public Optional<Evidence> archive(String path) {
        return all.archive(path);
    }

    @Override
    public Optional<String> answer(String name) {
        return all.answer(name);
    }

    @Override
    public List<String> answers() {
        return all.answers();
    }
}
