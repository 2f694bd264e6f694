package io.manafold.doctor.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.doctor.Binary;
import io.manafold.api.doctor.Check;
import io.manafold.api.doctor.Evidence;
import io.manafold.api.refusal.Refusal;
import io.manafold.doctor.internal.image.ImageAssessment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Answers, files and names that are damaged: each check and the assessment come to a finding or refuse to read. */
@Timeout(900)
class DamagedEvidenceTest {
    private static final int STEPS = Integer.getInteger("manafold.doctor.inputs");
    private static final int OF_JUDGEMENT = 20;
    private static final List<String> PIECES = List.of("99999999999999999999", "-", ",", "=", ":", "\n", " ", "\u0000",
            "0x", "mana", "master=", "--", " --rxq=, ", " -a , ", " -l , ", "mac=", "'",
            "\"", "-1", "2147483647", "/", "..",
            "eth1", ".so.", "\ud800", "VF slot ", "driver:mana", "[", "(");

    @TempDir
    private Path folder;

    private final Random random = new Random(21);

    private String damaged(String text) {
        StringBuilder all = new StringBuilder(text);
        for (int times = 1 + random.nextInt(3); times > 0; times--) {
            int at = random.nextInt(all.length() + 1);
            int to = Math.min(all.length(), at + random.nextInt(8));
            String piece = PIECES.get(random.nextInt(PIECES.size()));
            switch (random.nextInt(4)) {
                case 0 -> all.insert(at, piece);
                case 1 -> all.delete(at, to);
                case 2 -> all.replace(at, to, piece);
                default -> all.insert(at, all.substring(at, to));
            }
        }
        return all.toString();
    }

    /** What is read once and never from files again, some of it damaged. */
    private final class Damaged implements Evidence {
        private final Evidence whole;
        private final Kind kind;
        private final Map<Object, Object> read = new HashMap<>();
        /** What has been read in this step: a check that reads twice reads the same. */
        private final Map<Object, Object> now = new HashMap<>();
        /** One in so many is damaged. */
        private int rate;

        Damaged(Evidence whole, Kind kind) {
            this.whole = whole;
            this.kind = kind;
        }

        @SuppressWarnings("unchecked")
        private <T> T kept(String what, String path, Function<String, T> reads) {
            return (T) read.computeIfAbsent(what + path, _ -> reads.apply(path));
        }

        @SuppressWarnings("unchecked")
        private <T> T same(String what, String path, Supplier<T> reads) {
            T known = (T) now.get(what + path);
            if (known == null) {
                known = reads.get();
                now.put(what + path, known);
            }
            return known;
        }

        private void begin(int oneIn) {
            now.clear();
            rate = oneIn;
        }

        private String one(String text) {
            return random.nextInt(rate) == 0 ? damaged(text) : text;
        }

        @Override
        public String target() {
            return whole.target();
        }

        @Override
        public Kind kind() {
            return kind;
        }

        @Override
        public boolean has(String path) {
            return kept("has", path, whole::has);
        }

        @Override
        public List<String> names(String path) {
            return same("names", path, () -> kept("names", path, whole::names).stream().map(this::one).toList());
        }

        @Override
        public Optional<String> text(String path) {
            return same("text", path, () -> kept("text", path, whole::text).map(this::one));
        }

        @Override
        public Optional<String> link(String path) {
            return same("link", path, () -> kept("link", path, whole::link).map(this::one));
        }

        @Override
        public Optional<String> real(String path) {
            return kept("real", path, whole::real);
        }

        @Override
        public Optional<Binary> binary(String path) {
            return kept("binary", path, whole::binary);
        }

        @Override
        public Optional<Evidence> archive(String path) {
            return kept("archive", path, whole::archive);
        }

        @Override
        public Optional<String> answer(String name) {
            return same("answer", name, () -> kept("answer", name, whole::answer).map(this::one));
        }

        @Override
        public List<String> answers() {
            return whole.answers();
        }
    }

    @Test
    void noneFailsItself() throws Exception {
        List<Check> checks = Checks.all();
        List<Damaged> all = new ArrayList<>();
        for (Evidence whole : List.of(Prepared.pairs(folder.resolve("pairs")).evidence(),
                Prepared.polling(folder.resolve("polling")).evidence())) {
            for (Evidence.Kind kind : Evidence.Kind.values()) {
                all.add(new Damaged(whole, kind));
            }
        }
        int found = 0;
        for (int step = 0; step < STEPS; step++) {
            Damaged evidence = all.get(random.nextInt(all.size()));
            evidence.begin(1 + random.nextInt(8));
            Check check = checks.get(random.nextInt(checks.size()));
            try {
                if (step % OF_JUDGEMENT == 0) {
                    assertThat(ImageAssessment.of(evidence).verdicts()).hasSize(5);
                } else {
                    assertThat(check.examine(evidence).summary()).isNotBlank();
                }
                found++;
            } catch (Refusal e) {
                assertThat(e.getMessage()).isNotBlank();
            } catch (RuntimeException e) {
                throw new AssertionError("step " + step + ": check " + check.id() + " or the judgement", e);
            }
        }
        assertThat(found).isBetween(STEPS / 2, STEPS - 1);
    }
}
