package io.manafold.benchmark;

import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelOption;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringBufferRingConfig;
import io.netty.channel.uring.IoUringChannelOption;
import io.netty.channel.uring.IoUringFixedBufferRingAllocator;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringIoHandlerConfig;
import io.netty.channel.uring.IoUringServerSocketChannel;
import io.netty.channel.uring.IoUringSocketChannel;
import java.util.function.Consumer;

/**
 * What Netty's threads wait in, and the channels that fit it.
 *
 * @param receives has a channel receive as is best for a stream
 */
record NettyWay(IoHandlerFactory waiting, Class<? extends ServerChannel> listening,
        Class<? extends SocketChannel> connected, Consumer<ChannelConfig> receives) {
    private static final int READ = 256 << 10;
    private static final short GROUP = 1;
    private static final short BUFFERS = 64;
    private static final int BUFFER = 64 << 10;

    static NettyWay selector() {
        return new NettyWay(NioIoHandler.newFactory(), NioServerSocketChannel.class, NioSocketChannel.class,
                config -> config.setOption(ChannelOption.RECVBUF_ALLOCATOR, new AdaptiveRecvByteBufAllocator(64, BUFFER,
                        READ)));
    }

    /** With a ring of buffers, where the kernel has that. */
    static NettyWay ring() {
        IoUringIoHandlerConfig config = new IoUringIoHandlerConfig();
        boolean lends = IoUring.isRegisterBufferRingSupported();
        if (lends) {
            config.setBufferRingConfig(IoUringBufferRingConfig.builder().bufferGroupId(GROUP).bufferRingSize(BUFFERS)
                    .batchSize(BUFFERS / 2).allocator(new IoUringFixedBufferRingAllocator(BUFFER)).build());
        }
        return new NettyWay(IoUringIoHandler.newFactory(config), IoUringServerSocketChannel.class,
                IoUringSocketChannel.class, of -> {
            if (lends) {
                of.setOption(IoUringChannelOption.IO_URING_BUFFER_GROUP_ID, GROUP);
            }
        });
    }
}
