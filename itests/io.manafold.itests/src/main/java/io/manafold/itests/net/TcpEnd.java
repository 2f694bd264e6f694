package io.manafold.itests.net;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;

/**
 * One end of a stream of the kernel's TCP, a program of its own: {@code serve ADDRESS PORT} sends back what comes by
 * one connection, {@code ask ADDRESS PORT} sends blocks and says how many have come back whole, until its input ends.
 */
public final class TcpEnd {
    private static final int BLOCK = 8192;
    private static final int CONNECTING_MILLIS = 60_000;

    private TcpEnd() {
    }

    public static void main(String[] arguments) throws Exception {
        InetSocketAddress address = new InetSocketAddress(arguments[1], Integer.parseInt(arguments[2]));
        if (arguments[0].equals("serve")) {
            serve(address);
        } else {
            ask(address);
        }
    }

    private static void serve(InetSocketAddress address) throws IOException {
        try (ServerSocket listening = new ServerSocket()) {
            listening.bind(address);
            System.out.println("ready");
            try (Socket peer = listening.accept()) {
                peer.getInputStream().transferTo(peer.getOutputStream());
            }
        }
    }

    private static void ask(InetSocketAddress address) throws IOException, InterruptedException {
        try (Socket peer = new Socket()) {
            peer.connect(address, CONNECTING_MILLIS);
            DataInputStream in = new DataInputStream(peer.getInputStream());
            DataOutputStream out = new DataOutputStream(peer.getOutputStream());
            byte[] sent = new byte[BLOCK];
            byte[] come = new byte[BLOCK];
            for (int number = 1; System.in.available() == 0; number++) {
                Arrays.fill(sent, (byte) number);
                sent[0] = (byte) (number >> 8);
                out.write(sent);
                in.readFully(come);
                if (!Arrays.equals(sent, come)) {
                    throw new IOException("block " + number + " has come back otherwise");
                }
                System.out.println(number);
                // the machine has other things to do
                Thread.sleep(1);
            }
        }
    }
}
