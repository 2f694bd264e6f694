package io.manafold.image.internal;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A container image as one tree. Layers are read in the order in which they stand, which is not that in which they lie
 * over each other.
 */
final class LayeredImage implements EntryVisitor {
    private final BoundedInput in;
    private final Deadline deadline;
    private final Layer.Budget budget;
    private final Map<String, String> digests = new HashMap<>();
    private final Map<String, Layer> layers;

    private LayeredImage(BoundedInput in, Deadline deadline, Layer.Budget budget, List<ImageLayers.Place> places,
            Map<String, Layer> layers) {
        this.in = in;
        this.deadline = deadline;
        this.budget = budget;
        this.layers = layers;
        places.forEach(place -> digests.put(place.path(), place.digest()));
    }

    /** @param again the archive once more, not packed */
    static RawTree ofArchive(List<ImageLayers.Place> places, InputStream again, Deadline deadline)
            throws IOException {
        Map<String, Layer> layers = new HashMap<>();
        BoundedInput in = new BoundedInput(again, deadline);
        new TarReader(in, new LayeredImage(in, deadline, new Layer.Budget(), places, layers))
                .read(in.bytes(TarReader.BLOCK));
        return merged(places, layers, deadline);
    }

    static RawTree ofFolder(List<ImageLayers.Place> places, FolderTree folder, Deadline deadline) throws IOException {
        Map<String, Layer> layers = new HashMap<>();
        Layer.Budget budget = new Layer.Budget();
        for (ImageLayers.Place place : places) {
            if (!layers.containsKey(place.path()) && folder.kind(place.path()) == RawTree.Kind.FILE) {
                try (InputStream file = folder.open(place.path())) {
                    BoundedInput in = new BoundedInput(deadline.over(file), deadline);
                    new LayeredImage(in, deadline, budget, places, layers).layer(place.path(),
                            in.part(Long.MAX_VALUE, false));
                }
            }
        }
        return merged(places, layers, deadline);
    }

    private static RawTree merged(List<ImageLayers.Place> places, Map<String, Layer> layers, Deadline deadline)
            throws IOException {
        MemoryTree tree = new MemoryTree();
        for (ImageLayers.Place place : places) {
            Layer layer = layers.get(place.path());
            if (layer == null) {
                throw new IOException("the layer '" + place.path().substring(1) + "' is not in it");
            }
            layer.over(tree, deadline);
        }
        return tree;
    }

    @Override
    public void file(String name, long size) throws IOException {
        String path = MemoryTree.canonical(name);
        if (path == null || !digests.containsKey(path) || layers.containsKey(path)) {
            in.skip(size);
        } else {
            layer(path, in.part(size));
        }
    }

    private void layer(String path, InputStream bytes) throws IOException {
        Digest digest = new Digest();
        InputStream counted = digest.over(bytes);
        Layer layer = new Layer(budget);
        try {
            BoundedInput plain = new BoundedInput(new BufferedInputStream(Packed.open(counted, Packed.NO_XZ), 1 << 16),
                    deadline);
            byte[] block = plain.bytes(TarReader.BLOCK);
            if (!TarReader.is(block) && block[0] != 0) {
                throw new IOException("it is no tar archive");
            }
            new TarReader(plain, new Entries(layer, plain, PathFilter.ROOT)).read(block);
        } catch (InterruptedIOException e) {
            throw e;
        } catch (IOException e) {
            throw new IOException("the layer '" + path.substring(1) + "' cannot be read: " + e.getMessage(), e);
        }
        byte[] rest = new byte[1 << 16];
        while (counted.read(rest) >= 0) {
            deadline.check();
        }
        digest.hold(path, digests.get(path));
        layers.put(path, layer);
    }

    @Override
    public void folder(String name) {
        // layers are files
    }

    @Override
    public void link(String name, String target) {
        // followed before layers are read
    }

    @Override
    public void other(String name) {
        // no layer
    }
}
