package io.manafold.dropin.internal;

import io.manafold.dropin.internal.Bundles.Resident;
import io.manafold.dropin.internal.Bundles.Start;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Calls that run code of bundles, each on a thread named after the bundle's file: one that does not return keeps
 * that thread and no other file. What returns soon is waited for, so that files are taken in their order; what does not
 * is asked about again at later looks. Used by the watcher's thread.
 */
final class Calls {
    private static final long PATIENCE_MILLIS = 1000;
    /** While one is late already, the next is hardly waited for: many that hang do not add up. */
    private static final long SHORT_PATIENCE_MILLIS = 50;

    private final Map<String, Call> calls = new HashMap<>();
    private final Duration limit;
    private final CompletableFuture<?> closed;
    private final ThreadFactory threads;
    /** Whom dropped results had stopped. */
    private final Set<Long> stopped = new HashSet<>();

    /**
     * @param limit how long a call may take before its file is refused
     * @param closed ends a wait
     */
    Calls(Duration limit, CompletableFuture<?> closed) {
        this(limit, closed, Thread.ofPlatform().daemon().factory());
    }

    Calls(Duration limit, CompletableFuture<?> closed, ThreadFactory threads) {
        this.limit = limit;
        this.closed = closed;
        this.threads = threads;
    }

    /**
     * The result of a call: of a new one, or of the one that was begun at an earlier look if it was for the same.
     *
     * @return nothing if the call has not returned yet
     */
    Optional<Result> make(String file, Purpose purpose, Supplier<Result> work) {
        Call call = calls.get(file);
        if (call != null && call.isDone() && !call.purpose.equals(purpose)) {
            stopped.addAll(calls.remove(file).result.join().stopped());
            call = null;
        }
        if (call == null) {
            long patience = isAnyLate() ? SHORT_PATIENCE_MILLIS : PATIENCE_MILLIS;
            call = new Call(file, purpose, work, threads);
            try {
                call.thread.start();
            } catch (OutOfMemoryError none) {
                String reason = "no thread can be started for it now (" + Wording.reason(none) + ")";
                return Optional.of(new Result(null, new Start.NotNow(reason), Set.of(), Declined.forNow(reason)));
            }
            calls.put(file, call);
            await(call, patience);
        }
        if (!call.isDone()) {
            return Optional.empty();
        }
        calls.remove(file);
        return Optional.of(call.result.join());
    }

    /** Whom results had stopped that were dropped since this was last asked. */
    Set<Long> takeStopped() {
        Set<Long> all = Set.copyOf(stopped);
        stopped.clear();
        return all;
    }

    private void await(Call call, long millis) {
        try {
            CompletableFuture.anyOf(call.result, closed).get(millis, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            // it is asked about at the next look
            return;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isAnyLate() {
        return calls.values().stream().anyMatch(call -> !call.isDone());
    }

    boolean isUnderWay(String file) {
        Call call = calls.get(file);
        return call != null && !call.isDone();
    }

    /** Why a file is refused whose call takes longer than it may. */
    Optional<String> overdue(String file) {
        Call call = calls.get(file);
        if (call == null || call.isDone() || System.nanoTime() - call.begun < limit.toNanos()) {
            return Optional.empty();
        }
        call.interruptOnce();
        return Optional.of(call.purpose.kind().words + " has not returned within " + limit.toMillis()
                + " ms ('limit' in the configuration " + DropIn.PID + ") and keeps the thread '" + call.thread.getName()
                + "'; mend its code, remove the file and start the platform anew");
    }

    /** What a call does with a bundle. */
    enum Kind {
        /** All bundles that listen for others are told, and may take their time. */
        INSTALL("the installation of its bundle, of which other bundles are told,"), START("the start of its bundle"),
                UPDATE("the stop of its bundle, for an update,"),
                REMOVAL("the stop of its bundle");

        private final String words;

        Kind(String words) {
            this.words = words;
        }
    }

    /**
     * What a call is for.
     *
     * @param bundle its id, −1 while there is none
     * @param state the file's state that is taken with it, or {@code null}
     */
    record Purpose(Kind kind, long bundle, FileState state) {
    }

    /**
     * What came of a call.
     *
     * @param resident what was installed, or {@code null}
     * @param start how a start went, or {@code null}
     * @param stopped other bundles that had to be stopped
     * @param declined why it was not done, or {@code null}
     */
    record Result(Resident resident, Start start, Set<Long> stopped, Declined declined) {
        static Result installed(Resident resident) {
            return new Result(resident, null, Set.of(), null);
        }

        static Result started(Start start) {
            return new Result(null, start, Set.of(), null);
        }

        /** @param others bundles that had to be stopped besides */
        static Result stopped(Set<Long> others) {
            return new Result(null, null, others, null);
        }

        static Result declined(Declined why) {
            return new Result(null, null, Set.of(), why);
        }
    }

    private static final class Call {
        private final CompletableFuture<Result> result = new CompletableFuture<>();
        private final Purpose purpose;
        private final long begun = System.nanoTime();
        private final Thread thread;
        private boolean interrupted;

        Call(String file, Purpose purpose, Supplier<Result> work, ThreadFactory threads) {
            this.purpose = purpose;
            thread = threads.newThread(() -> {
                try {
                    result.complete(work.get());
                } catch (RuntimeException | Error e) {
                    String reason = Wording.reason(e);
                    result.complete(new Result(null, new Start.Failed("makes the framework stumble (" + reason + ")"),
                            Set.of(), Declined.forGood("the framework stumbles over it (" + reason + ")")));
                }
            });
            thread.setName("manafold-dropin " + Wording.plain(file));
        }

        /** Code that minds an interrupt ends with it, and the file is as good as any other again. */
        void interruptOnce() {
            if (!interrupted) {
                interrupted = true;
                thread.interrupt();
            }
        }

        boolean isDone() {
            return result.isDone();
        }
    }
}
