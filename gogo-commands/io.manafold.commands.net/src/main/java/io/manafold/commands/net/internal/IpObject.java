package io.manafold.commands.net.internal;

import io.manafold.shell.Call;
import java.util.List;

/** One of the things that {@code ip} speaks of. */
interface IpObject {
    /** All spellings; each may be cut short. */
    List<String> names();

    /** What can be done, in the order in which short forms are taken for it. */
    List<String> verbs();

    /** Words that can follow a verb, for completion. */
    List<String> keywords();

    void run(Call call, IpOptions options, String verb, IpWords words) throws InterruptedException;
}
