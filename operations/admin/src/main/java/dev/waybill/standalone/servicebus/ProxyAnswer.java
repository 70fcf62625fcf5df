package dev.waybill.standalone.servicebus;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The head of a proxy's answer to CONNECT, as far as it came. */
record ProxyAnswer(String head, boolean isWhole) {
    /** In place of an answer. */
    static final ProxyAnswer NONE = new ProxyAnswer("it closed the connection", false);

    private static final int LONGEST_STATUS = 200;
    private static final int MOST_SCHEMES = 5;
    private static final Pattern OPENED = Pattern.compile("HTTP/1\\.[01] 200 .*");
    private static final Pattern UNREASONED = Pattern.compile("HTTP/1\\.[01] 200");
    private static final Pattern REFUSED = Pattern.compile("HTTP/1\\.[01] (40[37])(?: .*)?");
    private static final Pattern CHALLENGES = Pattern.compile("(?im)^Proxy-Authenticate:(.*)$");

    /** The SDK reads no other spelling. */
    private static final Pattern SPELLED = Pattern.compile("(?m)^Proxy-Authenticate:");

    /** A scheme stands alone or before its parameters; a parameter stands before an equals sign. */
    private static final Pattern SCHEME = Pattern.compile("(?:^|,)\\s*([A-Za-z-]+)(?=\\s+[^=,\\s]|\\s*(?:,|$))");

    private static final Pattern CLOSES = Pattern.compile("(?im)^Connection:\\s*close\\s*$");
    private static final Pattern LENGTH = Pattern.compile("(?im)^Content-Length:\\s*(\\d{1,6})\\s*$");

    boolean isEmpty() {
        return status().isEmpty();
    }

    boolean opens() {
        return isWhole && OPENED.matcher(status()).matches();
    }

    /** Whether it begins as if it opened the tunnel, and does not go on. */
    boolean isCutShort() {
        return !isWhole && OPENED.matcher(status()).matches();
    }

    boolean wantsPassword() {
        return isRefused("407");
    }

    boolean forbids() {
        return isRefused("403");
    }

    private boolean isRefused(String code) {
        Matcher refused = REFUSED.matcher(status());
        return refused.matches() && refused.group(1).equals(code);
    }

    boolean lacksReason() {
        return isWhole && UNREASONED.matcher(status()).matches();
    }

    /** The first line, as it may stand in a log. */
    String status() {
        String line = head.lines().findFirst().orElse("").replaceAll("\\p{Cntrl}", "?");
        return line.length() > LONGEST_STATUS ? line.substring(0, LONGEST_STATUS) + "…" : line;
    }

    String schemes() {
        return offered().limit(MOST_SCHEMES).collect(Collectors.joining(", "));
    }

    boolean offersBasic() {
        return offered().anyMatch(scheme -> scheme.equalsIgnoreCase("Basic"));
    }

    boolean isSpelledForTheSdk() {
        return SPELLED.matcher(head).find();
    }

    private Stream<String> offered() {
        return CHALLENGES
                .matcher(head)
                .results()
                .flatMap(header -> SCHEME.matcher(header.group(1).strip()).results())
                .map(scheme -> scheme.group(1))
                .distinct();
    }

    /** Whether another request needs another connection. */
    boolean closes() {
        return CLOSES.matcher(head).find() || length().isEmpty();
    }

    /** The bytes behind the head; empty if it does not say how many. */
    Optional<Integer> length() {
        Matcher length = LENGTH.matcher(head);
        return length.find() ? Optional.of(Integer.parseInt(length.group(1))) : Optional.empty();
    }
}
