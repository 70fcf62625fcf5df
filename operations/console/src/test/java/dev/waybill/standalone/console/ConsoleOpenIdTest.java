package dev.waybill.standalone.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jwt.JWTClaimsSet;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.standalone.console.RawHttp.Answer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** People signed in by a provider of OpenID Connect, and those who would like to be taken for one of them. */
@ExtendWith(PostgresExtension.class)
@Timeout(60)
class ConsoleOpenIdTest {
    private final TestProvider provider = TestProvider.start();
    private RunningConsole console;
    private TestDatabase database;

    @BeforeEach
    void start(TestDatabase database) {
        this.database = database;
        console = replica();
        ExampleOutbox.fill(DSL.using(database.dataSource(), SQLDialect.POSTGRES), database.schema());
    }

    private RunningConsole replica() {
        return RunningConsole.start(
                database,
                "console.openid.issuer",
                provider.issuer(),
                "console.openid.client-id",
                TestProvider.CLIENT,
                "console.openid.client-secret",
                TestProvider.SECRET,
                "console.openid.roles",
                "waybill-ops=viewer, waybill-ops=operator@main, waybill-lookers=viewer, elsewhere=admin@other");
    }

    @AfterEach
    void close() {
        provider.close();
    }

    /** A sign-in that has come back from the provider, and not yet to the console. */
    private record Returned(RawHttp browser, String address) {}

    private Returned atTheProvider(String to) {
        Answer begun = console.http().get("/openid/start?to=" + RawHttp.encoded(to));
        assertThat(begun.status()).as(begun.body()).isEqualTo(303);
        String wanted = begun.header("Location").substring(provider.issuer().length());
        int port = Integer.parseInt(provider.issuer().replaceAll(".*:", ""));
        Answer sent = new RawHttp(port).with("Host", "localhost:" + port).get(wanted);
        return new Returned(
                console.http().with("Cookie", begun.cookie()),
                sent.header("Location").replaceAll("^http://[^/]*", ""));
    }

    private Answer signIn() {
        Returned back = atTheProvider("");
        return back.browser().get(back.address());
    }

    private void refusedWith(UnaryOperator<JWTClaimsSet.Builder> lie, String why) {
        provider.lie = lie;
        Answer answer = signIn();
        assertThat(answer.status()).as(why).isEqualTo(403);
        assertThat(answer.header("Set-Cookie")).as(why).doesNotContain("waybill=");
    }

    @Test
    void somebody_comes_from_the_provider_with_the_roles_of_the_claim() {
        Browser browser = Browser.shared();
        browser.to(console.address() + "/destination?db=main&name=orders");
        browser.examine("sign-in-openid");
        browser.follow("Sign in with your organization");
        browser.await(() -> browser.text().contains("Pause"));

        assertThat(browser.address()).as("where one wanted to go").endsWith("/destination?db=main&name=orders");
        assertThat(browser.text()).contains("nora@example.org", "orders");
        browser.type("reason", "by nora");
        browser.press("Pause");
        assertThat(browser.text()).contains("by nora (nora@example.org)");
        assertThat(console.logged()).anyMatch(line -> line.contains("nora@example.org signed in"));
    }

    @Test
    void roles_are_those_of_the_values_that_are_mapped() {
        provider.roles = List.of("waybill-lookers", "unknown", "elsewhere");
        RawHttp looker = console.http().with("Cookie", signIn().cookie()).fromOurPage();
        assertThat(looker.get("/destination?db=main&name=orders").body())
                .contains("nora@example.org")
                .doesNotContain("/destination/pause");
        provider.roles = List.of("unknown");
        RawHttp nobody = console.http().with("Cookie", signIn().cookie());
        assertThat(nobody.get("/").status()).isEqualTo(403);
        assertThat(nobody.get("/held?db=main").status()).isEqualTo(404);
    }

    @Test
    void a_token_that_was_not_made_for_this_sign_in_signs_nobody_in() {
        Instant now = InstantSource.system().instant();
        Map<String, UnaryOperator<JWTClaimsSet.Builder>> lies = new LinkedHashMap<>();
        lies.put("another nonce", claims -> claims.claim("nonce", "of another sign-in"));
        lies.put("no nonce", claims -> claims.claim("nonce", null));
        lies.put("another audience", claims -> claims.audience("another-client"));
        lies.put("another issuer", claims -> claims.issuer("https://login.example.org"));
        lies.put("expired", claims -> claims.expirationTime(Date.from(now.minusSeconds(120))));
        provider.lie = claims -> claims;
        lies.forEach((why, lie) -> refusedWith(lie, why));
        assertThat(console.logged())
                .filteredOn(line -> line.contains("sign-in by OpenID Connect failed"))
                .hasSize(lies.size());
    }

    @Test
    void a_token_without_a_signature_or_with_that_of_a_stranger_signs_nobody_in() {
        provider.unsigned = true;
        refusedWith(claims -> claims, "alg: none");
        provider.unsigned = false;
        provider.signWithAKeyThatIsNotShown();
        refusedWith(claims -> claims, "a key that the provider does not show");
        refusedWith(claims -> claims.claim("preferred_username", "<b>\n"), "a name that is none");
    }

    @Test
    void clocks_may_differ_a_little_and_keys_change() {
        Instant now = InstantSource.system().instant();
        provider.lie = claims ->
                claims.issueTime(Date.from(now.plusSeconds(30))).expirationTime(Date.from(now.minusSeconds(20)));
        assertThat(signIn().status())
                .as("a clock that goes before, one that goes behind")
                .isEqualTo(200);
        provider.lie = claims -> claims;
        provider.rotateKeys();
        assertThat(signIn().status()).as("new keys").isEqualTo(200);
    }

    @Test
    void an_answer_counts_once_and_in_the_browser_that_has_asked() {
        Returned back = atTheProvider("");
        assertThat(console.http().get(back.address()).status())
                .as("of an attacker, in a browser that has begun nothing (login CSRF)")
                .isEqualTo(403);
        Returned other = atTheProvider("");
        assertThat(other.browser().get(back.address()).status())
                .as("in a browser that has begun another one")
                .isEqualTo(403);
        String injected = other.address().replaceAll("code=[^&]*", "code=" + codeOf(back.address()));
        assertThat(other.browser().get(injected).status())
                .as("the code of another sign-in with this one's state (PKCE)")
                .isEqualTo(403);
        Returned mine = atTheProvider("");
        assertThat(mine.browser().get(mine.address()).status()).isEqualTo(200);
        assertThat(mine.browser().get(mine.address()).status()).as("once more").isEqualTo(403);
        Returned mixed = atTheProvider("");
        assertThat(mixed.browser()
                        .get(mixed.address().replaceAll("iss=[^&]*", "iss=https%3A%2F%2Fevil"))
                        .status())
                .as("of another provider")
                .isEqualTo(403);
    }

    @Test
    void an_answer_that_was_used_at_one_replica_is_refused_at_another_one_also_if_the_provider_takes_it_again() {
        RunningConsole other = replica();
        provider.careless = true;
        Returned back = atTheProvider("");
        RawHttp elsewhere = other.http().with("Host", "127.0.0.1:" + console.port());
        assertThat(elsewhere.get(back.address()).status())
                .as("by somebody without the cookie, before it is used")
                .isEqualTo(403);
        Answer signedIn = back.browser().get(back.address());
        assertThat(signedIn.status()).isEqualTo(200);

        Answer stolen =
                elsewhere.with("Cookie", back.browser().header("Cookie")).get(back.address());
        assertThat(stolen.status()).as("by somebody who has the cookie, too").isEqualTo(403);
        assertThat(stolen.header("Set-Cookie")).doesNotContain("waybill=");
        Returned again = atTheProvider("");
        assertThat(elsewhere
                        .with("Cookie", again.browser().header("Cookie"))
                        .get(again.address())
                        .status())
                .as("another one that came to another replica than it was begun at")
                .isEqualTo(200);
    }

    // An image in a stranger's page does that, and so does anybody behind the same ingress.
    @Test
    void answers_that_nobody_asked_for_lock_nobody_out() {
        for (int i = 0; i < 30; i++) {
            console.http().get("/openid/callback?state=x&code=y");
        }
        assertThat(signIn().status()).isEqualTo(200);
    }

    @Test
    void codes_that_the_provider_refuses_lock_no_other_person_out() {
        for (int i = 0; i < 8; i++) {
            Returned back = atTheProvider("");
            back.browser().get(back.address().replaceAll("code=[^&]*", "code=made-up"));
        }
        assertThat(signIn().status()).isEqualTo(200);
    }

    private static String codeOf(String address) {
        return address.replaceAll(".*[?&]code=([^&]*).*", "$1");
    }

    @Test
    void nobody_is_sent_to_another_site_by_signing_in() {
        for (String to : List.of("https://evil.example", "//evil.example", "/\\evil.example", "/a\"><script>")) {
            Returned back = atTheProvider(to);
            assertThat(back.browser().get(back.address()).body())
                    .as(to)
                    .contains("content=\"0; url=/\"")
                    .doesNotContain("evil", "<script>");
        }
    }

    @Test
    void a_provider_that_is_away_is_told_and_half_a_configuration_is_refused(TestDatabase database) {
        provider.close();
        Answer away = console.http().get("/openid/start");
        assertThat(away.status()).isEqualTo(503);
        assertThat(away.body()).doesNotContain("Exception", "Connection refused");

        assertThatThrownBy(() -> RunningConsole.start(database, "console.openid.client-id", "x"))
                .hasMessageContaining("need each other");
        assertThatThrownBy(() -> RunningConsole.start(
                        database,
                        "console.openid.issuer",
                        "http://login.example.org",
                        "console.openid.client-id",
                        "x",
                        "console.openid.client-secret",
                        "y",
                        "console.openid.roles",
                        "a=viewer, a=king"))
                .hasMessageContaining("https")
                .hasMessageContaining("a=king");
    }
}
