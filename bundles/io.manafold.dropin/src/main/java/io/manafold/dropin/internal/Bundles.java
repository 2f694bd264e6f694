package io.manafold.dropin.internal;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The framework, as far as the watcher needs it. A start, a replacement and a removal run the bundle's own code, and an
 * installation that of other bundles, which are told of it; where that takes long they are declined as unfinished, and
 * asked for again later they say what came of it.
 */
interface Bundles {
    /** The bundles that came from the folder and are still installed, this time or in an earlier life. */
    List<Resident> residents();

    /**
     * Installs a bundle, which is not started.
     *
     * @param state the state of the file that the content was taken from
     */
    Resident install(String file, Path jar, FileState state) throws Declined;

    /**
     * What came of an installation that was unfinished, once no call for the file is under way any more.
     *
     * @param state what it was asked for with
     */
    Resident installed(String file, FileState state) throws Declined;

    /**
     * Stops a bundle and gives it new content; it is left stopped. If the content is declined, the old one runs on.
     *
     * @param state the state of the file that the content was taken from
     * @return the ids of other residents that had to be stopped because they used the old content
     */
    Set<Long> replace(Resident resident, Path jar, FileState state) throws Declined;

    /**
     * Stops and uninstalls.
     *
     * @return as for {@link #replace}
     */
    Set<Long> remove(Resident resident) throws Declined;

    Start start(Resident resident);

    /**
     * The ids of residents that had to be stopped by a replacement or a removal that was asked for no more when it came
     * to its end, since this was last asked.
     */
    Set<Long> disturbed();

    /** Whether a call for a file has not returned. */
    boolean isUnderWay(String file);

    /** Why a file is refused whose call takes longer than it may. */
    Optional<String> overdue(String file);

    /** Whether the bundle is still installed; a user may have uninstalled it by hand. */
    boolean isThere(Resident resident);

    boolean isAtWork(Resident resident);

    /** Who has a name and version already, in words; the bundle with the id {@code except} does not count. */
    Optional<String> holder(Identity identity, long except);

    /**
     * A bundle from the folder.
     *
     * @param since when its content was installed, in milliseconds of the wall clock
     */
    record Resident(long id, String file, Identity identity, long since) {
    }

    /** How a start went. */
    sealed interface Start {
        record Started() implements Start {
        }

        /** It lacks something that another bundle may bring. */
        record Lacking(String reason) implements Start {
        }

        /** It would not, for reasons of its own. */
        record Failed(String reason) implements Start {
        }

        /** It has not come to an end yet. */
        record UnderWay() implements Start {
        }

        /** The framework is not ready for it. */
        record NotNow(String reason) implements Start {
        }
    }
}
