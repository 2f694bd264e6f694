package io.manafold.commands.net.internal;

import io.manafold.api.net.Moderation;
import io.manafold.api.net.NetDevice;
import io.manafold.api.net.Rings;
import io.manafold.api.net.Spreading;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.shell.Call;
import io.manafold.shell.UsageError;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What {@code ethtool} can be told to change. All words are read before anything is changed. */
final class EthtoolChanges {
    private static final List<String> HASHES = List.of("xor", "crc32");

    private EthtoolChanges() {
    }

    static void channels(Call call, NetDevice device, IpWords words) {
        Integer combined = null;
        while (!words.isEmpty()) {
            String word = words.take();
            int count = words.number(word);
            switch (word) {
                case "combined" -> combined = count;
                case "rx", "tx", "other" -> {
                    if (count > 0) {
                        throw new Refusal(Errno.EINVAL, device.name() + " has no channels for " + word
                                + " alone, at most 0 of them: each of its channels is combined. Write combined N.");
                    }
                }
                default -> throw UsageError.unknown("kind of channel", word, List.of("combined", "rx", "tx", "other"));
            }
        }
        if (combined != null) {
            device.setChannels(combined);
        }
    }

    static void rings(Call call, NetDevice device, IpWords words) {
        Rings now = device.rings();
        int receive = now.receive();
        int transmit = now.transmit();
        while (!words.isEmpty()) {
            String word = words.take();
            switch (word) {
                case "rx" -> receive = words.number(word);
                case "tx" -> transmit = words.number(word);
                case "rx-mini", "rx-jumbo" -> {
                    if (words.number(word) > 0) {
                        throw new Refusal(Errno.EINVAL, device.name() + " has no " + word
                                + " ring, at most 0 entries. Write rx N or tx N.");
                    }
                }
                default -> throw UsageError.unknown("ring", word, List.of("rx", "tx"));
            }
        }
        device.setRings(receive, transmit).forEach(notice -> call.err().println("manafold: " + notice));
    }

    static void coalescing(Call call, NetDevice device, IpWords words) {
        Moderation receiveBefore = device.moderation(true).orElse(Moderation.OFF);
        Moderation sendBefore = device.moderation(false).orElse(Moderation.OFF);
        Moderation receive = receiveBefore;
        Moderation send = sendBefore;
        Integer frames = null;
        while (!words.isEmpty()) {
            String word = words.take();
            switch (word) {
                case "adaptive-rx" -> receive = new Moderation(Words.onOff(word, words.valueOf(word)),
                        receive.micros(), receive.frames());
                case "adaptive-tx" -> send = new Moderation(Words.onOff(word, words.valueOf(word)), send.micros(),
                        send.frames());
                case "rx-usecs" -> receive = new Moderation(receive.adaptive(), words.number(word), receive.frames());
                case "tx-usecs" -> send = new Moderation(send.adaptive(), words.number(word), send.frames());
                case "rx-frames" -> receive = new Moderation(receive.adaptive(), receive.micros(), words.number(word));
                case "tx-frames" -> send = new Moderation(send.adaptive(), send.micros(), words.number(word));
                case "rx-cqe-frames" -> frames = words.number(word);
                default -> throw new Refusal(Errno.EOPNOTSUPP, "'" + word + "' cannot be set on " + device.name()
                        + ": adaptive-rx, adaptive-tx, rx-usecs, rx-frames, tx-usecs, tx-frames and rx-cqe-frames"
                        + " can.");
            }
        }
        Changes changes = new Changes();
        if (!receive.equals(receiveBefore) || !send.equals(sendBefore)) {
            Moderation newReceive = receive;
            Moderation newSend = send;
            changes.make(() -> device.setModeration(newReceive, newSend));
        }
        if (frames != null) {
            int each = frames;
            changes.make(() -> device.setCoalescing(each));
        }
        changes.end();
    }

    static void privateFlags(Call call, NetDevice device, IpWords words) {
        Map<String, Boolean> wanted = new LinkedHashMap<>();
        while (!words.isEmpty()) {
            String flag = words.take();
            if (!device.privateFlags().containsKey(flag)) {
                throw UsageError.unknown("private flag of " + device.name(), flag, device.privateFlags().keySet());
            }
            wanted.put(flag, Words.onOff(flag, words.valueOf(flag)));
        }
        Changes changes = new Changes();
        wanted.forEach((flag, on) -> changes.make(() -> device.setPrivateFlag(flag, on)));
        changes.end();
    }

    static void spreading(Call call, NetDevice device, IpWords words) {
        Spreading now = device.spreading();
        byte[] key = null;
        int[] table = null;
        int start = 0;
        String how = null;
        List<Integer> weights = new ArrayList<>();
        while (!words.isEmpty()) {
            String word = words.take();
            switch (word) {
                case "hkey" -> key = key(words.valueOf(word));
                case "start" -> start = words.number(word);
                case "equal", "weight", "default" -> {
                    if (how != null) {
                        throw new UsageError("One at a time: " + how + " or " + word + ".");
                    }
                    how = word;
                    readWeights(word, words, weights);
                }
                case "hfunc" -> hash(device, words.valueOf(word));
                case "context", "delete", "xfrm" -> throw new Refusal(Errno.EOPNOTSUPP, "'" + word
                        + "' cannot be set on " + device.name() + ": it has one table and one key.");
                default -> throw UsageError.unknown("way to spread", word,
                        List.of("equal", "weight", "default", "hkey", "hfunc", "start"));
            }
        }
        if (how != null) {
            table = how.equals("weight") ? byWeight(now.table().length, start, weights)
                    : inTurn(now.table().length, start, how.equals("equal") ? weights.getFirst() : now.queues());
        }
        if (key != null || table != null) {
            device.setSpreading(key, table);
        }
    }

    private static void readWeights(String word, IpWords words, List<Integer> weights) {
        if (word.equals("equal")) {
            weights.add(words.number(word));
            if (weights.getFirst() == 0) {
                throw new UsageError("equal takes the number of queues to use, from 1 on.");
            }
        } else if (word.equals("weight")) {
            while (!words.isEmpty() && words.peek().matches("[0-9].*")) {
                weights.add(words.number(word));
            }
            if (weights.stream().allMatch(weight -> weight == 0)) {
                throw new UsageError("weight takes a number for each queue, at least one of them above 0.");
            }
        }
    }

    private static void hash(NetDevice device, String name) {
        if (HASHES.contains(name)) {
            throw new Refusal(Errno.EOPNOTSUPP, device.name() + " hashes with toeplitz and nothing else.");
        }
        if (!name.equals("toeplitz")) {
            throw UsageError.unknown("hash function", name, List.of("toeplitz", "xor", "crc32"));
        }
    }

    private static byte[] key(String text) {
        try {
            return HexFormat.ofDelimiter(":").parseHex(text);
        } catch (IllegalArgumentException e) {
            throw new UsageError("hkey takes bytes in hexadecimal with colons between, as in 6d:5a:…, not '" + text
                    + "'.");
        }
    }

    /** Queues one after the other, again and again. */
    static int[] inTurn(int size, int start, int queues) {
        int[] table = new int[size];
        for (int i = 0; i < size; i++) {
            table[i] = start + i % queues;
        }
        return table;
    }

    /** As many entries in a row for each queue as its weight is of all weights. */
    static int[] byWeight(int size, int start, List<Integer> weights) {
        long sum = weights.stream().mapToLong(Integer::longValue).sum();
        int[] table = new int[size];
        int queue = 0;
        long upTo = weights.getFirst();
        for (int i = 0; i < size; i++) {
            while (i >= size * upTo / sum) {
                upTo += weights.get(++queue);
            }
            table[i] = start + queue;
        }
        return table;
    }
}
