package io.manafold.benchmark;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CountDownLatch;

/**
 * A stream over channels of Netty, a thread at each end. A burst of messages is written and flushed once; there are two
 * bursts under way at most.
 */
final class NettyStream implements Carrier {
    private final EventLoopGroup nearThread;
    private final EventLoopGroup farThread;
    private final Channel listening;
    private final Channel near;
    private final Received received = new Received();
    private final ByteBuf[] messages;
    private final ByteBuf memory;
    private final int burst;
    private final long[] threads = new long[2];
    /** Of the sending thread. */
    private long end;
    private long sent;
    private boolean isPumping;
    private CountDownLatch over;

    NettyStream(TcpCase what, NettyWay way) throws Exception {
        burst = what.bytes() * what.burst();
        memory = PooledByteBufAllocator.DEFAULT.directBuffer(burst).writeZero(burst);
        messages = new ByteBuf[what.burst()];
        for (int i = 0; i < messages.length; i++) {
            messages[i] = memory.slice(i * what.bytes(), what.bytes());
        }
        nearThread = new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("netty-sender", true), way.waiting());
        farThread = new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("netty-receiver", true),
                way.waiting());
        listening = new ServerBootstrap().group(farThread).channel(way.listening())
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        way.receives().accept(channel.config());
                        channel.pipeline().addLast(new Taking());
                    }
                }).bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)).sync().channel();
        near = new Bootstrap().group(nearThread).channel(way.connected()).handler(new Pumping())
                .connect(listening.localAddress()).sync().channel();
        near.config().setWriteBufferWaterMark(new WriteBufferWaterMark(burst, 2 * burst - 1));
        threads[0] = nearThread.submit(() -> Thread.currentThread().threadId()).get();
        threads[1] = farThread.submit(() -> Thread.currentThread().threadId()).get();
    }

    /** The receiving end. */
    private final class Taking extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object read) {
            ByteBuf bytes = (ByteBuf) read;
            received.add(bytes.readableBytes());
            bytes.release();
        }
    }

    /** The sending end. */
    private final class Pumping extends ChannelInboundHandlerAdapter {
        @Override
        public void channelWritabilityChanged(ChannelHandlerContext context) {
            if (context.channel().isWritable()) {
                pump();
            }
        }
    }

    private void pump() {
        if (isPumping) {
            // a flush that has sent all says so before it returns
            return;
        }
        isPumping = true;
        try {
            write();
        } finally {
            isPumping = false;
        }
    }

    private void write() {
        while (over != null && near.isWritable()) {
            if (System.nanoTime() - end >= 0) {
                CountDownLatch told = over;
                over = null;
                told.countDown();
                return;
            }
            for (ByteBuf message : messages) {
                near.write(message.retainedDuplicate(), near.voidPromise());
            }
            sent += burst;
            near.flush();
        }
    }

    @Override
    public Slice run(long millis) throws Exception {
        long begin = System.nanoTime();
        long cpu = Cpu.nanos();
        long before = sent;
        CountDownLatch done = new CountDownLatch(1);
        nearThread.execute(() -> {
            end = begin + millis * 1_000_000;
            over = done;
            pump();
        });
        done.await();
        received.await(sent);
        return new Slice(sent - before, Cpu.nanos() - cpu, System.nanoTime() - begin, -1, -1, Double.NaN);
    }

    @Override
    public long[] threads() {
        return threads.clone();
    }

    @Override
    public void close() throws Exception {
        near.close().sync();
        listening.close().sync();
        nearThread.shutdownGracefully().sync();
        farThread.shutdownGracefully().sync();
        memory.release();
    }
}
