package io.manafold.gdma.driver;

/** What was asked and is on its way. */
@FunctionalInterface
interface Answer<T> {
    /**
     * Waits for it, once.
     *
     * @throws io.manafold.api.refusal.Refusal as if it had been asked and waited for at once
     */
    T await();
}
