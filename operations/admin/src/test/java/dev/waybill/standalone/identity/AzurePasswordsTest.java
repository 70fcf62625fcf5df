package dev.waybill.standalone.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.TokenCredential;
import com.azure.core.exception.ClientAuthenticationException;
import dev.waybill.standalone.config.NamespaceSettings.Identity;
import dev.waybill.standalone.identity.PasswordSource.SignIn;
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
            clientId -> {
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

    @Test
    void the_words_of_a_credential_that_gives_no_token_are_kept() {
        var refusing = new AzurePasswords(
                Identity.MANAGED_IDENTITY,
                clientId -> request -> Mono.error(new ClientAuthenticationException("Identity not found", null)),
                () -> now);

        assertThatThrownBy(() -> refusing.password(RELAY)).hasMessageContaining("Identity not found");
        assertThat(refusing.name()).isEqualTo("managed-identity");
    }
}
