package dev.waybill.standalone.config;

import java.util.List;

/** The manual's page of all options, as it is made from their declarations. */
public final class OptionsPage {
    private OptionsPage() {}

    /** Markdown. */
    public static String markdown() {
        var page = new StringBuilder(HEAD);
        String section = "";
        for (Option option : Options.ALL) {
            String next = option.pattern().segments().get(0);
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

    private static String row(Option option) {
        String unit = option.unit().isEmpty() ? "true or false" : option.unit();
        String words = option.choices().isEmpty() ? unit : words(option.choices());
        String preset = option.defaultText().isEmpty() ? "" : "`" + option.defaultText() + "`";
        String secret = option.secret() ? " Secret: also from a file named by `" + option.name() + "-file`." : "";
        return "| `" + option.name() + "` | " + words + " | " + preset + " | " + capital(option.text()) + secret
                + " |\n";
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

            An option is given in one of four ways; the first that has it wins:

            | | for `http.port` | for `database.main.url` |
            |---|---|---|
            | flag | `--set http.port=9090` | `--set database.main.url=jdbc:...` |
            | system property | `-Dwaybill.http.port=9090` | `-Dwaybill.database.main.url=jdbc:...` |
            | environment | `WAYBILL_HTTP_PORT=9090` | `WAYBILL_DATABASE_MAIN_URL=jdbc:...` |
            | file (`--config`, `WAYBILL_CONFIG`) | `http: { port: 9090 }` | `database: { main: { url: "jdbc:..." } }` |

            `NAME` stands for a name of yours. In the environment names are written in capitals with underscores; one that \
            stands nowhere else is read in lower case with hyphens. In flags and properties a name with a dot stands in \
            quotes: `destination."orders.eu".sessions`. Of a secret `X`, `X-file` (`..._FILE` in the environment) names a \
            file that holds it. Times are written `500ms`, `15s`, `10m`, `2h`, `7d` or as ISO 8601; sizes `65536`, \
            `256KiB`, `100MB`. An option that does not exist is an error, which suggests the one that may be meant. \
            `config print --redacted` shows every value and where it comes from.

            In a file `orders:`, `orders: ~` and `orders: {}` all mean a name with the defaults of all its options, and an empty \
            section says nothing.

            Kubernetes sets variables for each service of a pod's namespace: `WAYBILL_HTTP_PORT=tcp://10.0.0.1:8080` for one \
            named `waybill-http`. The process ignores them and lists them in the log at its start: `..._PORT` with such a value, \
            `..._SERVICE_HOST` beside a `..._SERVICE_PORT`, and those of single ports. With `enableServiceLinks: false` in \
            the pod's specification there are none.
            """;
}
