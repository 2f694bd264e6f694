package io.manafold.doctor.internal;

import io.manafold.api.doctor.Binary;
import io.manafold.api.doctor.Evidence;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Answers over other evidence, or over none. */
final class Answers implements Evidence {
    private final String target;
    private final Kind kind;
    private final Evidence below;
    private final SortedMap<String, String> answers;

    private Answers(String target, Kind kind, Evidence below, Map<String, String> answers) {
        this.target = target;
        this.kind = kind;
        this.below = below;
        this.answers = new TreeMap<>(answers);
    }

    static Evidence of(String target, Map<String, String> answers) {
        return new Answers(target, Kind.PLATFORM, null, answers);
    }

    static Evidence named(String target, Evidence below) {
        return new Answers(target, below.kind(), below, Map.of());
    }

    static Evidence over(Evidence below, String name, String text) {
        return new Answers(below.target(), below.kind(), below, Map.of(name, text));
    }

    @Override
    public String target() {
        return target;
    }

    @Override
    public Kind kind() {
        return kind;
    }

    @Override
    public boolean has(String path) {
        return below != null && below.has(path);
    }

    @Override
    public List<String> names(String path) {
        return below == null ? List.of() : below.names(path);
    }

    @Override
    public Optional<String> text(String path) {
        return below == null ? Optional.empty() : below.text(path);
    }

    @Override
    public Optional<String> link(String path) {
        return below == null ? Optional.empty() : below.link(path);
    }

    @Override
    public Optional<String> real(String path) {
        return below == null ? Optional.empty() : below.real(path);
    }

    @Override
    public Optional<Binary> binary(String path) {
        return below == null ? Optional.empty() : below.binary(path);
    }

    @Override
    public Optional<Evidence> archive(String path) {
        return below == null ? Optional.empty() : below.archive(path);
    }

    @Override
    public Optional<String> answer(String name) {
        Optional<String> own = Optional.ofNullable(answers.get(name));
        return own.isPresent() || below == null ? own : below.answer(name);
    }

    @Override
    public List<String> answers() {
        TreeMap<String, String> all = new TreeMap<>(answers);
        if (below != null) {
            below.answers().forEach(name -> all.putIfAbsent(name, ""));
        }
        return List.copyOf(all.keySet());
    }
}
