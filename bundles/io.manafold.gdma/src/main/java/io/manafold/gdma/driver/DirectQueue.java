package io.manafold.gdma.driver;

/**
 * A work queue with its completion queue in the hands of an application, which writes requests and reads completions
 * without a driver in between. Both may be used as they are, or in another way by where they lie: their memory, their
 * numbers and the page that they are rung on.
 *
 * @param type of {@link io.manafold.gdma.QueueType}
 * @param work nothing has been posted to it
 * @param completions nothing has been read of it; the completions are those of this work queue alone
 * @param page on which both are rung
 * @param vportOffset goes into every send request
 */
public record DirectQueue(int type, WorkQueue work, CompletionQueue completions, DoorbellPage page, int vportOffset) {
}
