package io.manafold.doctor.internal;

import io.manafold.api.doctor.Evidence;
import io.manafold.api.doctor.Survey;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/** Judges images on a thread of its own: its user gets an answer in time, whatever the image has in it. */
final class LimitedSurvey {
    private final Duration limit;
    private final Function<Evidence, Survey> judge;
    /** One that has overstayed; while it is under way there is no other. */
    private final AtomicReference<Thread> overdue = new AtomicReference<>();

    LimitedSurvey(Duration limit, Function<Evidence, Survey> judge) {
        this.limit = limit;
        this.judge = judge;
    }

    Survey of(Evidence image) {
        Thread before = overdue.get();
        if (before != null && before.isAlive()) {
            throw new Refusal(Errno.EBUSY, "An image that took too long is still being judged; ask again when that "
                    + "has ended.");
        }
        AtomicReference<Survey> survey = new AtomicReference<>();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread thread = Thread.ofPlatform().daemon().name("doctor image").start(() -> {
            try {
                survey.set(judge.apply(image));
            } catch (Throwable e) {
                failure.set(e);
            }
        });
        try {
            if (!thread.join(limit)) {
                overdue.set(thread);
                thread.interrupt();
                throw new Refusal(Errno.ETIMEDOUT, "'" + image.target() + "' was not judged within " + limit.toSeconds()
                        + " s; 'doctor' with the ids of some checks looks at less of it.");
            }
        } catch (InterruptedException e) {
            overdue.set(thread);
            thread.interrupt();
            Thread.currentThread().interrupt();
            throw new Refusal(Errno.EINTR, "Judging '" + image.target() + "' was interrupted.", e);
        }
        return answer(image, survey.get(), failure.get());
    }

    private static Survey answer(Evidence image, Survey survey, Throwable failure) {
        if (failure instanceof Refusal refusal) {
            throw refusal;
        }
        if (failure != null) {
            throw new Refusal(Errno.EIO, "'" + image.target() + "' cannot be judged: "
                    + failure.getClass().getSimpleName() + ": " + failure.getMessage() + ".", failure);
        }
        return survey;
    }
}
