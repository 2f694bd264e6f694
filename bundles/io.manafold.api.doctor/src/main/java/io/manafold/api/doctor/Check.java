package io.manafold.api.doctor;

import java.util.List;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Looks for one thing that may be wrong. Register it as a service and it is among those of the doctor. It sees evidence
 * alone, so that it runs on a running machine, an image and this platform alike, and it keeps no state.
 */
@ConsumerType
public interface Check {
    /** What it is called for by commands; the platform's own have whole numbers, so that others take a word. */
    String id();

    /** A few words without a full stop. */
    String name();

    /** Ids of checks without whose success this one has nothing to look at. */
    List<String> needs();

    /** What is looked at, when it fails and why that matters; paragraphs for people. */
    String about();

    /**
     * Looks. It has two seconds; one that throws or takes longer has failed, and the others go on.
     *
     * @param evidence of strangers: its texts may be long, wrong or hostile
     */
    Finding examine(Evidence evidence) throws Exception;
}
