package dev.waybill.standalone.console.access;

import dev.waybill.standalone.config.ConfigException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The people who may sign in: {@code name:hash:roles}, a line each; {@code -} in place of the hash for somebody whom a
 * proxy signs in. Read again when it changes; one that cannot be read then leaves the people as they were.
 * Thread-safe.
 */
final class UsersFile {
    private static final Logger LOG = LoggerFactory.getLogger(UsersFile.class);
    private static final long LARGEST = 1 << 20;
    private static final int CHEAPEST = 10;
    private static final int DEAREST = 14;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._@+-]{0,99}");
    private static final Pattern HASH = Pattern.compile("\\$2[aby]\\$([0-9]{2})\\$[./A-Za-z0-9]{53}");

    private final Path file;
    private State state;
    private String told = "";

    private UsersFile(Path file, State state) {
        this.file = file;
        this.state = state;
    }

    /**
     * Somebody in the file.
     *
     * @param hash of the password; null if a proxy signs in this person
     */
    record User(String name, @Nullable String hash, Rights rights) {}

    private record Version(FileTime changed, long size) {
        static Version of(Path file) throws IOException {
            return new Version(Files.getLastModifiedTime(file), Files.size(file));
        }
    }

    private record State(Version version, Map<String, User> users) {}

    /**
     * Reads a file.
     *
     * @throws ConfigException saying what is wrong with it
     */
    static UsersFile read(Path file) {
        try {
            Version version = Version.of(file);
            return new UsersFile(file, new State(version, parse(file)));
        } catch (IOException e) {
            throw new ConfigException("console.users-file " + file + " cannot be read: " + e);
        }
    }

    synchronized Optional<User> find(String name) {
        try {
            Version now = Version.of(file);
            if (!now.equals(state.version)) {
                state = new State(now, state.users);
                state = new State(now, parse(file));
                told = "";
                LOG.info("The console's users file {} has changed, and names {} people", file, state.users.size());
            }
        } catch (IOException | ConfigException e) {
            tellOnce(String.valueOf(e.getMessage()));
        }
        return Optional.ofNullable(state.users.get(name));
    }

    // It is asked with each request.
    private void tellOnce(String problem) {
        if (!problem.equals(told)) {
            told = problem;
            LOG.warn("The console's users file {} counts as it was before: {}", file, problem);
        }
    }

    private static Map<String, User> parse(Path file) throws IOException {
        if (Files.size(file) > LARGEST) {
            throw new ConfigException("console.users-file " + file + " is larger than 1 MiB");
        }
        var users = new LinkedHashMap<String, User>();
        int number = 0;
        for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
            number++;
            if (!line.isBlank() && !line.startsWith("#")) {
                User user = user(line.strip(), file + ", line " + number);
                if (users.put(user.name(), user) != null) {
                    throw new ConfigException(file + ", line " + number + ": " + user.name() + " stands twice");
                }
            }
        }
        return users;
    }

    static String checked(String line) {
        try {
            user(line, "This");
            return line;
        } catch (ConfigException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    // Says nothing of the line: it may hold a password that somebody took for a hash.
    private static User user(String line, String place) {
        String[] parts = line.split(":", -1);
        if (parts.length != 3 || !NAME.matcher(parts[0]).matches()) {
            throw new ConfigException(place + ": a line is name:hash:roles");
        }
        try {
            Rights rights = Rights.parse(parts[2]);
            return new User(parts[0], parts[1].equals("-") ? null : hash(parts[1], place), rights);
        } catch (IllegalArgumentException e) {
            throw new ConfigException(place + ": " + e.getMessage());
        }
    }

    private static String hash(String text, String place) {
        Matcher hash = HASH.matcher(text);
        if (!hash.matches()) {
            throw new ConfigException(place + ": no bcrypt hash; 'waybill-relay console password' makes one");
        }
        int cost = Integer.parseInt(hash.group(1));
        if (cost < CHEAPEST || cost > DEAREST) {
            throw new ConfigException(
                    place + ": the hash has a cost of " + cost + ", and must have " + CHEAPEST + " to " + DEAREST);
        }
        return text;
    }
}
