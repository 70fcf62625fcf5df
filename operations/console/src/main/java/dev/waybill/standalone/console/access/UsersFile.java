package dev.waybill.standalone.console.access;

import dev.waybill.standalone.config.ConfigException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The users: {@code name:hash:roles} in each line; {@code -} replaces the hash of people whom a proxy signs in. An invalid file
 * keeps the last content. Thread-safe.
 */
final class UsersFile {
    private static final int CHEAPEST = 10;
    private static final int DEAREST = 14;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._@+-]{0,99}");
    private static final Pattern HASH = Pattern.compile("\\$2[aby]\\$([0-9]{2})\\$[./A-Za-z0-9]{53}");

    private final ReloadedFile<User> file;

    private UsersFile(ReloadedFile<User> file) {
        this.file = file;
    }

    /** A user; people whom a proxy signs in have no hash. */
    record User(String name, @Nullable String hash, Rights rights) {}

    /**
     * Reads a file.
     *
     * @throws ConfigException naming the problem
     */
    static UsersFile read(Path file) {
        return new UsersFile(ReloadedFile.read(
                file, new ReloadedFile.Kind<>("console.users-file", "people", (line, place) -> {
                    User user = user(line, place);
                    return Map.entry(user.name(), user);
                })));
    }

    Optional<User> find(String name) {
        return Optional.ofNullable(file.now().get(name));
    }

    static String checked(String line) {
        try {
            user(line, "This");
            return line;
        } catch (ConfigException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    // The message never quotes the line, which may contain a password instead of its hash.
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
