package dev.waybill.standalone.servicebus;

import static dev.waybill.standalone.servicebus.AnsweringProxy.BASIC;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import dev.waybill.standalone.config.ConfigException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests of tokens and administration beside a proxy that refuses the password. */
@Timeout(60)
class ProxiedHttpTest {
    @TempDir
    private Path folder;

    private static void refused(HttpClient client, String url) {
        assertThatThrownBy(
                        () -> client.send(new HttpRequest(HttpMethod.GET, url)).block())
                .hasMessageContaining("opens no tunnel to login.example:443 for user 'clerk': HTTP/1.1 407");
    }

    @Test
    void a_refused_password_is_sent_once_and_a_new_one_by_the_client_that_a_credential_keeps() throws Exception {
        Path file = Files.writeString(folder.resolve("password"), "old");
        try (var proxy = new AnsweringProxy(BASIC, BASIC)) {
            HttpClient client = new Network(proxy.behind("proxy-password-file: " + file))
                    .http()
                    .orElseThrow();

            refused(client, "https://login.example/a");
            refused(client, "https://login.example/b");
            assertThat(proxy.signIns()).containsExactly("clerk:old");

            Files.writeString(file, "new");
            refused(client, "https://login.example/c");
            assertThat(proxy.signIns()).containsExactly("clerk:old", "clerk:new");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://127.0.0.1:1/msi/token",
                "http://localhost:1/metadata",
                "https://a.internal:1/",
                "https://mIddle.example:1/"
            })
    void a_host_of_the_machine_or_among_the_exclusions_is_not_asked_of_the_proxy(String url) throws Exception {
        try (var proxy = new AnsweringProxy(BASIC, BASIC)) {
            HttpClient client = new Network(
                            proxy.behind("proxy-password: pw", "proxy-exclusions: \"*.internal, M*e.example\""))
                    .http()
                    .orElseThrow();

            assertThatThrownBy(() ->
                            client.send(new HttpRequest(HttpMethod.GET, url)).block())
                    .isNotNull();
            assertThat(proxy.requests()).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "*.internal^*.other | names '*.internal|*.other', which no host is called",
                ".internal | names '.internal', which no host is called: give hosts such as *.internal",
                "10.0.0.0/8 | names '10.0.0.0/8', which no host is called",
            })
    void an_exclusion_that_matches_no_host_is_refused(String exclusion, String words) {
        assertThatThrownBy(() -> AnsweringProxy.at(
                        "http://p.example:1", "proxy-exclusions: \"" + exclusion.replace('^', '|') + "\""))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(words);
    }

    @Test
    void an_empty_file_of_the_password_is_refused_at_the_start() throws Exception {
        Path file = Files.writeString(folder.resolve("password"), "\n");

        assertThatThrownBy(() -> AnsweringProxy.at("http://clerk@p.example:1", "proxy-password-file: " + file))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("namespace.main.proxy-password-file: the file is empty");
    }

    @ParameterizedTest
    @CsvSource({
        "http://clerk@corp.example@p.example:3128, in a user write @ as %40",
        "http://clerk@p.example:99999, must be a URL such as",
        "https://clerk@p.example:3128, only http:// is supported",
        "socks5://p.example:1080, only http:// is supported",
        "http://clerk@p.example, the port is missing",
        "http://p.example/, the port is missing"
    })
    void a_url_that_no_proxy_has_is_refused_at_the_start(String url, String words) {
        assertThatThrownBy(() -> AnsweringProxy.at(url, "proxy-password: pw"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(words);
    }
}
