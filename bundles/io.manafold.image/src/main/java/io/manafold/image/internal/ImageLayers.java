package io.manafold.image.internal;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The layers of a container image that is kept as files: an OCI layout, or what {@code docker save} has written before
 * there was one.
 */
final class ImageLayers {
    private static final Pattern DIGEST = Pattern.compile("sha256:[0-9a-f]{64}");
    private static final int DEEPEST_INDEX = 4;
    private static final int MOST_DOCUMENTS = 64;

    private final RawTree files;
    private final List<JsonFacts> manifests = new ArrayList<>();
    private final Set<String> seen = new LinkedHashSet<>();

    /**
     * A layer.
     *
     * @param path where it is
     * @param digest of what is there, in hexadecimal
     */
    record Place(String path, String digest) {
    }

    private ImageLayers(RawTree files) {
        this.files = files;
    }

    /** Whether these are the files of an image in layers, and not those of a Linux. */
    static boolean are(RawTree files) {
        return files.kind("/etc") == RawTree.Kind.NOTHING && (isLayout(files) || isFile(files, "/manifest.json"));
    }

    private static boolean isLayout(RawTree files) {
        return isFile(files, "/oci-layout") && isFile(files, "/index.json");
    }

    private static boolean isFile(RawTree files, String path) {
        return files.kind(path) == RawTree.Kind.FILE;
    }

    /** From the lowest to the highest. */
    static List<Place> of(RawTree files) throws IOException {
        ImageLayers layers = new ImageLayers(files);
        return isLayout(files) ? layers.layout() : layers.saved();
    }

    private List<Place> layout() throws IOException {
        index(facts("/index.json"), 1);
        if (manifests.size() != 1) {
            throw manyOrNone(manifests.size());
        }
        List<Place> places = new ArrayList<>();
        for (String digest : manifests.getFirst().texts("layers.", ".digest")) {
            places.add(new Place(blob(digest), digest.substring(digest.indexOf(':') + 1)));
        }
        return places;
    }

    private static IOException manyOrNone(int images) {
        return new IOException(images == 0 ? "it is to hold the layers of an image, and has none of its manifests"
                : "it holds " + images + " images; save the one that is meant alone, with 'docker save NAME:TAG'");
    }

    /** Goes through an index: platforms that are not in the archive, and attestations, are none of its images. */
    private void index(JsonFacts index, int depth) throws IOException {
        List<String> digests = index.texts("manifests.", ".digest");
        for (int i = 0; i < digests.size(); i++) {
            String path = blob(digests.get(i));
            if (index.text("manifests." + i + ".platform.os").equals("unknown") || !isFile(files, path)
                    || !seen.add(path)) {
                continue;
            }
            if (seen.size() > MOST_DOCUMENTS || depth == DEEPEST_INDEX) {
                throw new IOException("its index leads to more manifests than are looked at");
            }
            JsonFacts document = facts(path);
            if (document.text("manifests.0.digest").isEmpty()) {
                manifests.add(document);
            } else {
                index(document, depth + 1);
            }
        }
    }

    private static String blob(String digest) throws IOException {
        if (!DIGEST.matcher(digest).matches()) {
            throw new IOException("a digest in it is none of sha256");
        }
        return "/blobs/" + digest.replace(':', '/');
    }

    /** Layers by name, each with the digest that the configuration has for it. */
    private List<Place> saved() throws IOException {
        JsonFacts list = facts("/manifest.json");
        Set<String> images = new LinkedHashSet<>();
        List<String> configurations = list.texts("", ".Config");
        for (int i = 0; i < configurations.size(); i++) {
            images.add(configurations.get(i) + " " + list.texts(i + ".Layers.", ""));
        }
        if (images.size() != 1) {
            throw manyOrNone(images.size());
        }
        List<String> digests = facts(inside("/" + configurations.getFirst())).texts("rootfs.diff_ids.", "");
        List<String> names = list.texts("0.Layers.", "");
        if (digests.size() != names.size()) {
            throw new IOException("its configuration knows " + digests.size() + " layers, and its manifest "
                    + names.size());
        }
        List<Place> places = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            String path = followed(inside("/" + names.get(i)));
            // what stands among blobs may be packed: it has the name of what it is, not of what it unpacks to
            String digest = path.startsWith("/blobs/sha256/") ? "sha256:" + path.substring("/blobs/sha256/".length())
                    : digests.get(i);
            blob(digest);
            places.add(new Place(path, digest.substring(digest.indexOf(':') + 1)));
        }
        return places;
    }

    /** A layer that is the same as another's may be a link to it. */
    private String followed(String path) throws IOException {
        return files.kind(path) == RawTree.Kind.LINK
                ? inside(path.substring(0, path.lastIndexOf('/')) + "/" + files.link(path)) : path;
    }

    private static String inside(String path) throws IOException {
        List<String> parts = new ArrayList<>();
        for (String part : path.split("/")) {
            if (part.equals("..")) {
                if (parts.isEmpty()) {
                    throw new IOException("a layer in it is a link that leads out of it");
                }
                parts.removeLast();
            } else if (!part.isEmpty() && !part.equals(".")) {
                parts.add(part);
            }
        }
        return "/" + String.join("/", parts);
    }

    /** What a document says; one that has its digest for a name is held to it. */
    private JsonFacts facts(String path) throws IOException {
        if (!isFile(files, path)) {
            throw new IOException("'" + path.substring(1) + "' is not in it");
        }
        byte[] bytes = files.bytes(path, Limits.DOCUMENT);
        String name = path.substring(path.lastIndexOf('/') + 1).replace(".json", "");
        if (DIGEST.matcher("sha256:" + name).matches()) {
            Digest digest = new Digest();
            digest.add(bytes);
            digest.hold(path, name);
        }
        return JsonFacts.of(bytes, path.substring(1));
    }
}
