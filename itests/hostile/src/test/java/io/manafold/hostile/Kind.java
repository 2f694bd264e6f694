package io.manafold.hostile;

import io.manafold.dropin.internal.DroppedJars;
import io.manafold.inet.internal.Frames;
import io.manafold.lab.internal.LabFiles;
import io.manafold.lent.ChannelMessages;
import io.manafold.lent.SocketStreams;
import io.manafold.shell.internal.CommandLines;
import java.util.concurrent.Callable;

/** The kinds of input that come from outside. */
enum Kind {
    SOCKETS("io.manafold.vfio.**", SocketStreams::new),
    CHANNEL("io.manafold.adapter.**:io.manafold.gdma.**", ChannelMessages::new),
    FRAMES("io.manafold.inet.**:io.manafold.packet.**", Frames::new),
    JARS("io.manafold.dropin.**", DroppedJars::new),
    LABS("io.manafold.lab.**:org.snakeyaml.**", LabFiles::new),
    NETLINK("io.manafold.netshaper.**", NetlinkDatagrams::new),
    LINES("io.manafold.shell.**:org.apache.felix.gogo.runtime.**", CommandLines::new);

    private final String watched;
    private final Callable<Taker> taker;

    Kind(String watched, Callable<Taker> taker) {
        this.watched = watched;
        this.taker = taker;
    }

    /** The classes whose branches guide the mutations. */
    String watched() {
        return watched;
    }

    Taker open() throws Exception {
        return taker.call();
    }
}
