package io.manafold.vfio.internal.protocol;

/** Is told what a client does, on the session's thread; must not wait. */
public interface SessionListener {
    /** The client has said who it is. */
    void greeted();

    /** The client's memory cannot be shared, so that the function will not work for it. Told once in a session. */
    void unshared(String sentence);
}
