package dev.waybill.standalone.identity;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.TokenCredential;
import com.azure.core.exception.ClientAuthenticationException;
import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.ProxyOptions;
import com.azure.core.util.Context;
import com.azure.core.util.HttpClientOptions;
import dev.waybill.standalone.config.NamespaceSettings.Identity;
import dev.waybill.standalone.identity.PasswordSource.SignIn;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;

class AzurePasswordsTest {
    private static final SignIn RELAY = new SignIn("shop.postgres.database.azure.com", "relay", Optional.of("app-7"));

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final List<String> asked = new ArrayList<>();
    private int credentials;
    private boolean isAway;

    private final AzurePasswords passwords = new AzurePasswords(
            Identity.WORKLOAD_IDENTITY,
            (clientId, http) -> {
                credentials++;
                return credential(clientId.orElse("any"));
            },
            () -> now);

    private TokenCredential credential(String clientId) {
        return request -> {
            if (isAway) {
                return Mono.error(new ClientAuthenticationException("Entra is away", null));
            }
            asked.add(clientId + " " + request.getScopes().get(0));
            return Mono.just(new AccessToken(
                    "token " + asked.size(), now.plus(Duration.ofHours(1)).atOffset(ZoneOffset.UTC)));
        };
    }

    @Test
    void a_token_serves_all_connections_until_shortly_before_its_end() {
        assertThat(passwords.password(RELAY)).isEqualTo("token 1");
        now = now.plus(Duration.ofMinutes(54));
        assertThat(passwords.password(RELAY)).isEqualTo("token 1");
        now = now.plus(Duration.ofMinutes(1));

        assertThat(passwords.password(RELAY)).isEqualTo("token 2");
        assertThat(credentials).isEqualTo(1);
        assertThat(asked.get(0)).isEqualTo("app-7 https://ossrdbms-aad.database.windows.net/.default");
    }

    @Test
    void a_refused_token_ends_with_the_credential_that_remembers_it() {
        passwords.password(RELAY);
        passwords.renew(RELAY);

        assertThat(passwords.password(RELAY)).isEqualTo("token 2");
        assertThat(credentials).isEqualTo(2);
    }

    @Test
    void a_token_is_used_to_its_end_if_no_newer_one_is_given() {
        passwords.password(RELAY);
        now = now.plus(Duration.ofMinutes(57));
        isAway = true;
        assertThat(passwords.password(RELAY)).isEqualTo("token 1");
        now = now.plus(Duration.ofMinutes(3));

        assertThatThrownBy(() -> passwords.password(RELAY)).hasMessageContaining("Entra is away");
    }

    @ParameterizedTest
    @CsvSource({
        "a.postgres.database.chinacloudapi.cn, chinacloudapi.cn",
        "A.POSTGRES.DATABASE.USGOVCLOUDAPI.NET, usgovcloudapi.net",
        "10.0.0.4, windows.net"
    })
    void the_scope_is_that_of_the_servers_cloud(String host, String domain) {
        passwords.password(new SignIn(host, "relay", Optional.empty()));

        assertThat(asked).containsExactly("any https://ossrdbms-aad.database." + domain + "/.default");
    }

    /** The SDK tries for longer than a connection may take. */
    @Test
    void a_host_that_gives_no_token_in_time_is_told_with_the_cause() {
        var waiting = new AzurePasswords(
                Identity.MANAGED_IDENTITY,
                (clientId, http) -> request -> http.send(new HttpRequest(HttpMethod.GET, "https://login.invalid/token"))
                        .onErrorResume(e -> Mono.empty())
                        .then(Mono.never()),
                () -> now);

        assertThatThrownBy(() -> waiting.password(RELAY))
                .hasMessage("no token within 7 s: login.invalid: unknown host");
    }

    @Test
    void a_proxy_of_the_jvm_that_wants_a_password_for_the_token_is_told() throws Exception {
        try (var server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            var proxy = new Thread(() -> refuseTunnels(server), "proxy");
            proxy.setDaemon(true);
            proxy.start();
            var requests = new TokenRequests(HttpClient.createDefault(new HttpClientOptions()
                    .setProxyOptions(new ProxyOptions(
                            ProxyOptions.Type.HTTP,
                            new InetSocketAddress(server.getInetAddress(), server.getLocalPort())))));
            var token = new HttpRequest(HttpMethod.GET, "https://login.invalid/token");

            assertThatThrownBy(() -> requests.sendSync(token, Context.NONE)).isNotNull();

            assertThat(requests.unanswered())
                    .hasValueSatisfying(told -> assertThat(told)
                            .startsWith("login.invalid: ")
                            .contains("407", "give the JVM -Dhttps.proxyUser and -Dhttps.proxyPassword"));
        }
    }

    private static void refuseTunnels(ServerSocket server) {
        while (!server.isClosed()) {
            try (Socket client = server.accept()) {
                var in = new BufferedReader(new InputStreamReader(client.getInputStream(), UTF_8));
                while (!in.readLine().isEmpty()) {
                    // The head of the request.
                }
                client.getOutputStream()
                        .write("HTTP/1.1 407 No\r\nProxy-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n"
                                .getBytes(UTF_8));
            } catch (IOException e) {
                return;
            }
        }
    }

    @Test
    void the_words_of_a_credential_that_gives_no_token_are_kept() {
        var refusing = new AzurePasswords(
                Identity.MANAGED_IDENTITY,
                (clientId, http) ->
                        request -> Mono.error(new ClientAuthenticationException("Identity not found", null)),
                () -> now);

        assertThatThrownBy(() -> refusing.password(RELAY)).hasMessageContaining("Identity not found");
        assertThat(refusing.name()).isEqualTo("managed-identity");
    }
}
