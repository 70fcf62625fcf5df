package dev.waybill.standalone.config;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Renders the reference page of all options. */
final class OptionsPage {
    private OptionsPage() {}

    private static final Set<String> PROCESS = Set.of("instance", "shutdown", "http", "log", "metrics", "tracing");

    private static final String DESTINATION = "destination.NAME.";
    private static final String SUBSCRIPTION = "destination.NAME.subscription.NAME.";
    private static final String QUEUE = "A queue's: ";

    /** One row of the page covers a queue's option and the same option of a subscription. */
    private static final Set<String> OF_A_QUEUE = Options.ALL.stream()
            .filter(option -> option.text().startsWith(QUEUE))
            .map(Option::name)
            .collect(Collectors.toUnmodifiableSet());

    static String markdown() {
        var page = new StringBuilder(HEAD);
        String section = "";
        for (Option option : Options.ALL) {
            if (isInTheRowOfAQueue(option)) {
                continue;
            }
            String next = section(option.pattern().segments().get(0));
            if (!next.equals(section)) {
                page.append("\n## ")
                        .append(next)
                        .append("\n\n| option | unit | default | meaning |\n|---|---|---|---|\n");
                section = next;
            }
            page.append(row(option));
        }
        return page.toString();
    }

    private static boolean isInTheRowOfAQueue(Option option) {
        return option.name().startsWith(SUBSCRIPTION)
                && OF_A_QUEUE.contains(option.name().replace(SUBSCRIPTION, DESTINATION));
    }

    private static String section(String first) {
        return PROCESS.contains(first) ? "process" : first;
    }

    private static String row(Option option) {
        String unit = option.unit().isEmpty() ? "true or false" : option.unit();
        String words = option.choices().isEmpty() ? unit : words(option.choices());
        String preset = option.defaultText().isEmpty() ? "" : "`" + option.defaultText() + "`";
        String secret = option.secret() ? " Secret: also from a file named by `" + option.name() + "-file`." : "";
        String name = "`" + option.name() + "`";
        String text = capital(option.text());
        if (OF_A_QUEUE.contains(option.name())) {
            name += ", `" + option.name().replace(DESTINATION, SUBSCRIPTION) + "`";
            text = text.replace(QUEUE, "A queue's or subscription's: ");
        }
        return "| " + name + " | " + words + " | " + preset + " | " + text + secret + " |\n";
    }

    private static String words(List<String> choices) {
        return "`" + String.join("`, `", choices) + "`";
    }

    private static String capital(String text) {
        return Character.toUpperCase(text.charAt(0)) + text.substring(1);
    }

    private static final String HEAD = """
            # Configuration of the standalone relay

            <!-- Made from the code: mvn -pl operations/admin -am test -Dtest=OptionsPageTest -Dwaybill.docs.write=true -->

            There are four ways to give an option; the first that has it wins:

            | | `http.port` | `database.main.url` |
            |---|---|---|
            | flag | `--set http.port=9090` | `--set database.main.url=jdbc:...` |
            | system property | `-Dwaybill.http.port=9090` | `-Dwaybill.database.main.url=jdbc:...` |
            | environment | `WAYBILL_HTTP_PORT=9090` | `WAYBILL_DATABASE_MAIN_URL=jdbc:...` |
            | file (`--config`, `WAYBILL_CONFIG`) | `http: { port: 9090 }` | `database: { main: { url: "jdbc:..." } }` |

            `NAME` is a name of yours. In the environment write it in capitals with underscores; if no other source has it, it is read \
            in lower case with hyphens. In flags and properties quote a name with a dot: `destination."orders.eu".sessions`.
            `orders:`, `orders: ~` and `orders: {}` in a file all give a name with default options; an empty section has no effect.
            For a secret `X`, `X-file` (`..._FILE` in the environment) names a file with its value. Times: `500ms`, `15s`, `10m`, \
            `2h`, `7d` or ISO 8601. Sizes: `65536`, `256KiB`, `100MB`.
            An unknown option is an error, with a suggestion. `config print` shows every value, without secrets, \
            and its source; `--given` leaves defaults out.

            Kubernetes sets variables for each service, such as `WAYBILL_HTTP_PORT=tcp://10.0.0.1:8080` for `waybill-http`. The process \
            ignores and logs them at its start.
            With `enableServiceLinks: false` in the pod's specification there are none.
            """;
}
