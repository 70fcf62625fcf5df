package dev.waybill.standalone.console.access;

import dev.waybill.standalone.config.ConfigException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** The tokens of programs: {@code name:digest:roles:date} in each line. Thread-safe. */
public final class TokensFile {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._@+-]{0,99}");
    private static final Pattern DIGEST = Pattern.compile("[A-Za-z0-9_-]{43}");
    private static final String PREFIX = "waybill_";

    private final ReloadedFile<Token> file;
    private final InstantSource clock;

    private TokensFile(ReloadedFile<Token> file, InstantSource clock) {
        this.file = file;
        this.clock = clock;
    }

    private record Token(String name, String digest, Rights rights, Instant until) {}

    public record Made(String token, String line) {}

    static TokensFile read(Path path, InstantSource clock) {
        return new TokensFile(
                ReloadedFile.read(path, new ReloadedFile.Kind<>("console.tokens-file", "tokens", TokensFile::line)),
                clock);
    }

    /**
     * Creates a token.
     *
     * @param lastDay the last valid day, in UTC
     * @throws IllegalArgumentException if the name or the roles are invalid
     */
    public static Made make(String name, String roles, LocalDate lastDay) {
        String token = PREFIX + Secrets.random();
        String line = name + ":" + digest(token) + ":" + roles + ":" + lastDay;
        try {
            line(line, "This");
        } catch (ConfigException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
        return new Made(token, line);
    }

    private static String digest(String token) {
        return Secrets.text(Secrets.digest("token", token));
    }

    /** The program of a token, or why the token is invalid. */
    record Found(Optional<Person> person, String why) {
        static Found nobody(String why) {
            return new Found(Optional.empty(), why);
        }
    }

    Found find(String token) {
        if (!token.startsWith(PREFIX) || !Secrets.isForm(token.substring(PREFIX.length()))) {
            return Found.nobody("what it shows has not the form of a token");
        }
        String digest = digest(token);
        Instant now = clock.instant();
        Optional<Token> known = file.now().values().stream()
                .filter(each -> Secrets.areEqual(each.digest, digest))
                .max(Comparator.comparing(Token::until));
        if (known.isEmpty()) {
            return Found.nobody("its token is not in console.tokens-file");
        }
        Token found = known.get();
        return now.isBefore(found.until)
                ? new Found(Optional.of(new Person("token:" + found.name, found.rights)), "")
                : Found.nobody("the token of '" + found.name + "' counted until " + found.until);
    }

    // The message never quotes the line, which may contain a token instead of its digest.
    private static Map.Entry<String, Token> line(String line, String place) {
        String[] parts = line.split(":", -1);
        if (parts.length != 4 || !NAME.matcher(parts[0]).matches()) {
            throw new ConfigException(place + ": a line is name:digest:roles:date");
        }
        if (!DIGEST.matcher(parts[1]).matches()) {
            throw new ConfigException(place + ": no digest of a token; 'waybill-relay console token' makes one");
        }
        try {
            Instant until = LocalDate.parse(parts[3])
                    .plusDays(1)
                    .atStartOfDay(ZoneOffset.UTC)
                    .toInstant();
            return Map.entry(parts[0], new Token(parts[0], parts[1], Rights.parse(parts[2]), until));
        } catch (DateTimeException e) {
            throw new ConfigException(place + ": the last day is a date such as 2027-03-31");
        } catch (IllegalArgumentException e) {
            throw new ConfigException(place + ": " + e.getMessage());
        }
    }
}
