package io.manafold.uring;

import io.manafold.api.refusal.Refusal;
import io.manafold.linux.SystemCallException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Finds out what this kernel can do, by doing each once over a connection with itself. */
public final class Probe {
    /**
     * What came of it.
     *
     * @param errno 0 if it worked, or the kernel's number
     * @param why a sentence if it did not
     */
    public record Answer(Operation operation, boolean available, int errno, String why) {
        static Answer of(Operation operation, long result) {
            return result >= 0 ? new Answer(operation, true, 0, "")
                    : new Answer(operation, false, (int) -result, "The kernel answers " + Limits.name((int) -result)
                    + " to " + operation.words() + ".");
        }
    }

    private Probe() {
    }

    /** Does each operation once, on the calling thread, and answers in the order of {@link Operation}. */
    public static List<Answer> run() {
        Map<Operation, Answer> answers = new EnumMap<>(Operation.class);
        try (Trial trial = new Trial(RingSetup.of(16, 64))) {
            put(answers, Operation.RING, trial.isDeferred() ? 0 : -Limits.EINVAL);
            new Transfers(trial).run((operation, result) -> put(answers, operation, result));
        } catch (Refusal refused) {
            refuse(answers, refused.errno().number(), refused.getMessage());
        } catch (SystemCallException failed) {
            refuse(answers, failed.errno(), "Nothing can be tried: " + failed.getMessage() + ".");
        }
        if (answers.get(Operation.RING).available()) {
            put(answers, Operation.SUBMISSION_POLLING, polling());
            put(answers, Operation.AREA, Area.tried());
        }
        List<Answer> all = new ArrayList<>();
        for (Operation operation : Operation.values()) {
            all.add(answers.getOrDefault(operation, Answer.of(operation, -Limits.EINVAL)));
        }
        return all;
    }

    private static void put(Map<Operation, Answer> answers, Operation operation, long result) {
        answers.put(operation, Answer.of(operation, result));
    }

    private static void refuse(Map<Operation, Answer> answers, int errno, String sentence) {
        for (Operation operation : Operation.values()) {
            answers.putIfAbsent(operation, new Answer(operation, false, errno, sentence));
        }
    }

    private static long polling() {
        try (Trial trial = new Trial(RingSetup.of(4, 8).polling(1))) {
            return trial.once(Request.nothing(), 0, 0);
        } catch (Refusal refused) {
            return -refused.errno().number();
        } catch (SystemCallException failed) {
            return -failed.errno();
        }
    }
}
