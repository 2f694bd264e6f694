package io.manafold.benchmark;

import io.netty.channel.uring.IoUring;
import java.util.LinkedHashMap;
import java.util.Map;

/** Streams of Netty, over its selector and over its rings. */
public final class Netty implements Rivals {
    @Override
    public Map<String, Start> of(TcpCase what) {
        Map<String, Start> ways = new LinkedHashMap<>();
        ways.put("netty-nio", () -> new NettyStream(what, NettyWay.selector()));
        if (IoUring.isAvailable()) {
            ways.put("netty-uring", () -> new NettyStream(what, NettyWay.ring()));
        } else {
            System.err.println("sockets: Netty has no rings here: " + IoUring.unavailabilityCause().getMessage());
        }
        return ways;
    }
}
