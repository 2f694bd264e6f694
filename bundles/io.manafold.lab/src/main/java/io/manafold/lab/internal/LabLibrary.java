package io.manafold.lab.internal;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Where labs are found: in the labs folder, then among those that come with the bundle, so that people can put their
 * own in the place of one of ours. Only a name that can hold no path is ever looked up in the folder.
 */
final class LabLibrary {
    private static final String ENDING = ".yaml";
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,63}");

    private final Map<String, URL> builtIn;
    private final Path folder;

    /**
     * @param builtIn the labs of the bundle by name
     * @param folder {@code null} if the platform has none
     */
    LabLibrary(Map<String, URL> builtIn, Path folder) {
        this.builtIn = new TreeMap<>(builtIn);
        this.folder = folder;
    }

    Path folder() {
        return folder;
    }

    static boolean isFile(String nameOrFile) {
        return nameOrFile.contains("/") || nameOrFile.endsWith(ENDING) || nameOrFile.endsWith(".yml");
    }

    /** The name of the lab that is meant, whether or not it is there. */
    static String nameOf(String nameOrFile) {
        if (isFile(nameOrFile)) {
            String file = nameOrFile.substring(nameOrFile.lastIndexOf('/') + 1);
            String name = file.replaceFirst("\\.ya?ml$", "");
            if (!NAME.matcher(name).matches()) {
                throw new Refusal(Errno.EINVAL, "A lab is named after its file, and " + Words.quote(name)
                        + " is no name for one: letters, digits, - and _, at most 64. Rename the file.");
            }
            return name;
        }
        if (!NAME.matcher(nameOrFile).matches()) {
            throw new Refusal(Errno.EINVAL, Words.quote(nameOrFile) + " is no name of a lab: letters, digits, - and _, "
                    + "at most 64. A file is given with a / in it or with the ending .yaml.");
        }
        return nameOrFile;
    }

    /** @throws Refusal if it is not there or cannot be read */
    LabSource find(String nameOrFile) {
        String name = nameOf(nameOrFile);
        if (isFile(nameOrFile)) {
            return fromFile(name, path(nameOrFile).toAbsolutePath());
        }
        if (folder != null && Files.exists(folder.resolve(name + ENDING))) {
            return fromFile(name, folder.resolve(name + ENDING));
        }
        URL resource = builtIn.get(name);
        if (resource == null) {
            throw missing(name);
        }
        try (InputStream in = resource.openStream()) {
            return LabSource.of(name, LabSource.BUILT_IN, in.readAllBytes());
        } catch (IOException e) {
            throw unreadable("The lab '" + name + "' of the platform", e);
        }
    }

    /** The names that {@link #find} would find, sorted. */
    List<String> names() {
        TreeSet<String> names = new TreeSet<>(builtIn.keySet());
        names.addAll(inFolder());
        return List.copyOf(names);
    }

    private List<String> inFolder() {
        List<String> names = new ArrayList<>();
        if (folder != null) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*" + ENDING)) {
                for (Path file : files) {
                    String name = file.getFileName().toString();
                    name = name.substring(0, name.length() - ENDING.length());
                    if (NAME.matcher(name).matches()) {
                        names.add(name);
                    }
                }
            } catch (NoSuchFileException e) {
                // the administrator has not made the folder yet: it holds no labs
            } catch (IOException | DirectoryIteratorException e) {
                throw unreadable("The labs folder " + folder, e);
            }
        }
        return names;
    }

    private Refusal missing(String name) {
        if (folder != null && Files.exists(folder.resolve(name + ".yml"))) {
            return new Refusal(Errno.ENOENT, "There is no lab '" + name + "', but the file " + name
                    + ".yml in the labs folder; rename it to " + name + ENDING + ", then it is one.");
        }
        String nearest = Words.nearest(name, names());
        return new Refusal(Errno.ENOENT, "There is no lab '" + name + "'"
                + (nearest == null ? "." : "; nearest is '" + nearest + "'.")
                + (folder == null ? "" : " A file " + name + ENDING + " in " + Words.clean(folder.toString(), 500)
                        + " would be one."));
    }

    private static Path path(String file) {
        try {
            return Path.of(file);
        } catch (InvalidPathException e) {
            throw new Refusal(Errno.EINVAL,
                    Words.quote(file) + " is not a path: " + Words.clean(e.getReason(), 200) + ".", e);
        }
    }

    private static LabSource fromFile(String name, Path file) {
        if (!Files.exists(file)) {
            throw new Refusal(Errno.ENOENT, "There is no file " + Words.clean(file.toString(), 500)
                    + "; a lab is a YAML file.");
        }
        // A pipe or a device would keep us waiting, or never end.
        if (!Files.isRegularFile(file)) {
            throw new Refusal(Errno.EINVAL,
                    Words.clean(file.toString(), 500) + " is not a regular file; a lab is a YAML file.");
        }
        try (InputStream in = Files.newInputStream(file)) {
            // One file is one origin, however people came to it.
            return LabSource.of(name, file.toRealPath().toString(), in.readNBytes(LabSource.LONGEST + 1));
        } catch (IOException e) {
            throw unreadable("The file " + file, e);
        }
    }

    private static Refusal unreadable(String what, Exception problem) {
        String subject = Words.clean(what, 500);
        return switch (problem) {
            case AccessDeniedException e -> new Refusal(Errno.EACCES,
                    subject + " may not be read by this user; change its permissions.", e);
            case NotDirectoryException e -> new Refusal(Errno.EINVAL,
                    subject + " is not a folder; move the file away.", e);
            default -> new Refusal(Errno.EIO, subject + " cannot be read: "
                    + Words.clean(String.valueOf(problem.getMessage()), 200) + ".", problem);
        };
    }
}
