// Generated from dashboard.yaml by `npm run types`. Do not edit.

export interface paths {
    "/domains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List domains
         * @description A page of the domains with their states, and the plan and the platform.
         */
        get: operations["listDomains"];
        put?: never;
        /**
         * Add a domain
         * @description Adds a domain or subdomain and returns the DNS record to create. The first domain becomes the primary one.
         *
         *     An apex and its www name can be added as a `pair`, of which one or both redirect: both are saved, or neither. If the
         *     counterpart has already been added, it stays as it is, apart from the redirect. As any redirect, it leads to the
         *     primary domain; if there is none, the other domain of the pair becomes that.
         */
        post: operations["addDomain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pairs/{domain}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask how a domain can be added as a pair
         * @description Returns the choices for an apex or its www name, which addDomain then gets as `pair`. There are none for any other
         *     name, and for one that has already been added or cannot be. Nothing is changed.
         */
        get: operations["getPairChoices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/domains/{domain}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find a domain
         * @description Returns one domain with its state.
         */
        get: operations["getDomain"];
        put?: never;
        post?: never;
        /**
         * Remove a domain
         * @description Stops serving the domain immediately. Domains that redirected to it then serve the documentation.
         */
        delete: operations["removeDomain"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/domains/{domain}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify a domain
         * @description Checks the DNS record; once it is correct, a certificate is ordered and the domain goes live. The response comes
         *     immediately, with the state `verifying`; listDomains shows the progress. A domain that is live or has failed is
         *     verified again.
         */
        post: operations["verifyDomain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/domains/{domain}/reissue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Order a new certificate
         * @description Verifies the domain and orders a new certificate, even if the present one is current. The present one is served
         *     until then. The response comes immediately; listDomains shows the progress.
         */
        post: operations["reissueCertificate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/domains/{domain}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove a domain and revoke its certificate
         * @description Stops serving the domain immediately, then revokes its certificate at the authority that issued it. If that fails,
         *     send the request again. Revocation cannot be undone. With `keep`, the domain stays: a new certificate is ordered,
         *     and it is served again once that has been issued.
         */
        post: operations["revokeDomain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/domains/{domain}/redirect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Redirect a domain to the primary one */
        put: operations["setRedirect"];
        post?: never;
        /** Serve the documentation at a domain instead of redirecting it */
        delete: operations["removeRedirect"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/primary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Make a domain the primary one
         * @description Redirects to the former primary domain then lead to this one.
         */
        put: operations["setPrimaryDomain"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Domains: {
            /** @enum {string} */
            plan: "free" | "pro" | "enterprise";
            /** @description Where the documentation is always served, and the target of DNS records. */
            platform: {
                domain: string;
                cnameTarget: string;
                problem?: components["schemas"]["Problem"];
                certificate?: components["schemas"]["Certificate"];
            };
            /** @description The primary domain; absent while there is none. */
            primary?: string;
            /** @description Why changes cannot be saved at the moment, such as a full disk; absent otherwise. */
            unsaved?: string;
            /**
             * @description When the storage lost its latest changes, if that was within a day: it was restored, or failed over to a copy
             *     that lacked them.
             */
            rewound?: {
                at: components["schemas"]["Time"];
                /** @description The domains that are as they were before. */
                domains: string[];
            };
            /** @description The account at each certificate authority, once registered. CAA records name its URL in `accounturi`. */
            accounts: {
                /** @description The directory URL of the authority. */
                authority: string;
                url: string;
            }[];
            /**
             * Format: int32
             * @description How many domains there are.
             */
            total: number;
            /**
             * Format: int32
             * @description How many of them the search finds.
             */
            count: number;
            domains: components["schemas"]["Domain"][];
        };
        Domain: {
            /** @description In lower-case ASCII. */
            domain: string;
            /** @description The domain in its own script. */
            displayName: string;
            /** @enum {string} */
            kind: "subdomain" | "apex";
            isPrimary: boolean;
            /** @description Of an apex, its www name, and the other way round; absent unless both have been added. */
            counterpart?: string;
            redirect?: components["schemas"]["Redirect"];
            /** @enum {string} */
            state: "added" | "verifying" | "verified" | "issuing" | "live" | "failed";
            /** @description The state in a sentence, and the next step. */
            summary: string;
            addedAt: components["schemas"]["Time"];
            liveSince?: components["schemas"]["Time"];
            /**
             * Format: date-time
             * @description When the domain may next be verified; a time in the past means now.
             */
            canVerifyAt: string;
            record: components["schemas"]["Record"];
            problem?: components["schemas"]["Problem"];
            certificate?: components["schemas"]["Certificate"];
            /** @description Advice for a user in this state, for example on cached redirects. */
            hint?: string;
        };
        /**
         * @description Which domain of the pair redirects: the apex, as from example.com to www.example.com (`to-www`), or the www name
         *     (`from-www`); or both redirect to the primary domain, which is another one (`to-primary`).
         * @enum {string}
         */
        PairRedirect: "to-www" | "from-www" | "to-primary";
        PairChoices: {
            /** @description Absent if there are no choices. */
            question?: string;
            /** @description The last one adds the domain alone. */
            choices: components["schemas"]["PairChoice"][];
        };
        PairChoice: {
            pair?: components["schemas"]["PairRedirect"];
            /** @description The choice in a sentence. */
            text: string;
            note?: string;
        };
        /** @description The DNS record to create. */
        Record: {
            /** @enum {string} */
            type: "CNAME" | "ALIAS";
            /** @description The label before the registrable domain, or `@`. */
            name: string;
            value: string;
            /** @description Seconds. */
            ttl: number;
            /** @description Remarks on this record; may be empty. */
            note: string;
        };
        Redirect: {
            to: string;
            /** @description Whether it is applied. Until the primary domain is live, the domain serves the documentation. */
            isActive: boolean;
            status: components["schemas"]["RedirectStatus"];
        };
        /** @enum {integer} */
        RedirectStatus: 301 | 302 | 307 | 308;
        Problem: {
            code: components["schemas"]["ProblemCode"];
            /**
             * @description What the checks found wrong, in their order.
             * @enum {string}
             */
            about: "dns" | "caa" | "certificate";
            /**
             * @description Who can act: the user, the platform's operator, or only an authority. Others have no steps.
             * @enum {string}
             */
            addressee: "user" | "operator" | "authority";
            /** @description Nothing is wrong yet; perhaps the record only needs time. */
            isPending?: boolean;
            /** @description What DNS has in place of the required record; absent where that is not known. */
            found?: {
                type: string;
                value: string;
            }[];
            /** @description The problem in a sentence. */
            message: string;
            /** @description Steps that fix it, a sentence each. */
            steps: string[];
            /** @description What else to know, such as when the next retry is, a sentence each. */
            notes: string[];
            nextTryAt?: components["schemas"]["Time"];
            /** @description What kept the other authorities from issuing, if several were tried: all else is of one. */
            failures?: {
                /** @description The URL of its directory. */
                authority: string;
                code: components["schemas"]["ProblemCode"];
                /** @description The problem in a sentence. */
                message: string;
            }[];
        };
        /** @enum {string} */
        ProblemCode: "record_missing" | "conflicting_record" | "proof_missing" | "cname_mismatch" | "record_not_everywhere" | "target_unresolvable" | "dns_unreachable" | "dnssec_broken" | "caa_blocks" | "caa_unreachable" | "rate_limited" | "ca_unavailable" | "ca_cannot_connect" | "ca_cannot_resolve" | "ca_refused" | "not_allowed" | "certificate_expired" | "storage_failed" | "internal_error" | "record_damaged";
        Certificate: {
            /** @description As the certificate itself names it. */
            issuer: string;
            /** @description The directory URL it was ordered from; absent where that is not known. */
            authority?: string;
            notBefore: components["schemas"]["Time"];
            notAfter: components["schemas"]["Time"];
            /**
             * Format: date-time
             * @description When its renewal is planned.
             */
            renewsAt: string;
            /** @description When the authority suggests to renew it (RFC 9773), if it does. */
            renewal?: {
                start: components["schemas"]["Time"];
                end: components["schemas"]["Time"];
            };
        };
        /** Format: date-time */
        Time: string;
        /** @description The body of every response with status 400 or above. */
        Error: {
            code: components["schemas"]["ErrorCode"];
            message: string;
            status: number;
        };
        /** @description Later versions may add codes. */
        ErrorCode: "invalid_request" | "unauthorized" | "not_found" | "method_not_allowed" | "not_acceptable" | "request_timeout" | "precondition_failed" | "payload_too_large" | "uri_too_long" | "expectation_failed" | "rate_limited" | "headers_too_large" | "internal_error" | "not_implemented" | "unavailable" | "unsupported_media_type" | "invalid_domain" | "plan_required" | "not_deployed" | "domain_exists" | "too_many_domains" | "not_saved" | "domain_not_found" | "is_primary" | "not_revoked" | "no_primary" | "redirect_loop";
    };
    responses: {
        /** @description The current state of the domain. */
        Domain: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Domain"];
            };
        };
        /** @description The body or the domain is invalid; the message says why. */
        InvalidRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The API key is missing or invalid. */
        Unauthorized: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The domain has not been added. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The path does not support the method of the request. */
        MethodNotAllowed: {
            headers: {
                Allow?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `Accept` excludes `application/json`. No action was taken. */
        NotAcceptable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request took too long to arrive. */
        RequestTimeout: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Too many requests with an invalid key came from the address of the client. */
        RateLimited: {
            headers: {
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The precondition cannot be met. No action was taken. */
        PreconditionFailed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request body is too large. */
        PayloadTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The URL alone exceeds 16 KiB, the limit of the request line and the headers together. */
        UriTooLong: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is not JSON in UTF-8. */
        UnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `Expect` asks for something other than `100-continue`. */
        ExpectationFailed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request line and the headers together exceed 16 KiB, or there are more than 1,000 headers. */
        HeadersTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The server failed. */
        InternalError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The server does not know the method of the request. */
        NotImplemented: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description The server is shutting down, or the change cannot be saved (`not_saved`). In that case nothing has
         *     changed, except that a removed domain is no longer served.
         */
        Unavailable: {
            headers: {
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listDomains: {
        parameters: {
            query?: {
                /** @description A part of the name, in ASCII or in its own script. */
                search?: string;
                /** @description In the order in which they were added, or those that need attention first. */
                sort?: "added" | "attention";
                /** @description How many domains to skip. */
                offset?: number;
                /** @description How many domains to return. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The domains. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Domains"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["Unavailable"];
        };
        security: {
            dashboardKey: never;
        };
    };
    addDomain: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description As a user types it. An internationalized name may be given in its own script. */
                    domain: string;
                    pair?: components["schemas"]["PairRedirect"];
                };
            };
        };
        responses: {
            201: components["responses"]["Domain"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description The plan does not include custom domains. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /**
             * @description The domain has already been added, there are as many as allowed, the documentation is not deployed yet, or the
             *     primary domain would redirect.
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["Unavailable"];
        };
        security: {
            dashboardKey: never;
        };
    };
    getPairChoices: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description As a user types it.
                 * @example example.com
                 */
                domain: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The choices, the recommended one first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PairChoices"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["Unavailable"];
        };
        security: {
            dashboardKey: never;
        };
    };
    getDomain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The domain as returned by listDomains.
                 * @example docs.example.com
                 */
                domain: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Domain"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["Unavailable"];
        };
        security: {
            dashboardKey: never;
        };
    };
    removeDomain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The domain as returned by listDomains.
                 * @example docs.example.com
                 */
                domain: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The domain has been removed. No body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["Unavailable"];
        };
        security: {
            dashboardKey: never;
        };
    };
    verifyDomain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The domain as returned by listDomains.
                 * @example docs.example.com
                 */
                domain: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: components["responses"]["Domain"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            /**
             * @description Requested again within 30 seconds, or before the certificate authority allows it; or too many requests with an
             *     invalid key.
             */
            429: {
                headers: {
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["Unavailable"];
        };
        security: {
            dashboardKey: never;
        };
    };
    reissueCertificate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The domain as returned by listDomains.
                 * @example docs.example.com
                 */
                domain: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: components["responses"]["Domain"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            /**
             * @description Requested again within 30 seconds, or before the certificate authority allows it; or too many requests with an
             *     invalid key.
             */
            429: {
                headers: {
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["Unavailable"];
        };
        security: {
            dashboardKey: never;
        };
    };
    revokeDomain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The domain as returned by listDomains.
                 * @example docs.example.com
                 */
                domain: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description As in RFC 5280, section 5.3.1.
                     * @enum {string}
                     */
                    reason: "unspecified" | "keyCompromise" | "affiliationChanged" | "superseded" | "cessationOfOperation";
                    /** @default false */
                    keep?: boolean;
                };
            };
        };
        responses: {
            /** @description The domain has been removed, and its certificate revoked. No body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            /** @description The domain has been removed, but the authority has not revoked its certificate. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            503: components["responses"]["Unavailable"];
        };
        security: {
            dashboardKey: never;
        };
    };
    setRedirect: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The domain as returned by listDomains.
                 * @example docs.example.com
                 */
                domain: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @default 301
                     * @enum {integer}
                     */
                    status?: 301 | 302 | 307 | 308;
                };
            };
        };
        responses: {
            200: components["responses"]["Domain"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description The domain is itself the primary one, or there is no primary domain. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["Unavailable"];
        };
        security: {
            dashboardKey: never;
        };
    };
    removeRedirect: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The domain as returned by listDomains.
                 * @example docs.example.com
                 */
                domain: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Domain"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["Unavailable"];
        };
        security: {
            dashboardKey: never;
        };
    };
    setPrimaryDomain: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    domain: string;
                };
            };
        };
        responses: {
            200: components["responses"]["Domain"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["Unavailable"];
        };
        security: {
            dashboardKey: never;
        };
    };
}
/** Requests as handlers receive them, where they differ: with what has a default. */
export namespace received {
    export interface components {
        schemas: never;
        responses: never;
        parameters: never;
        requestBodies: never;
        headers: never;
        pathItems: never;
    }
    export interface operations {
        listDomains: {
            parameters: {
                query: {
                    /** @description A part of the name, in ASCII or in its own script. */
                    search?: string;
                    /** @description In the order in which they were added, or those that need attention first. */
                    sort: "added" | "attention";
                    /** @description How many domains to skip. */
                    offset: number;
                    /** @description How many domains to return. */
                    limit: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: never;
        };
        revokeDomain: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /**
                     * @description The domain as returned by listDomains.
                     * @example docs.example.com
                     */
                    domain: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * @description As in RFC 5280, section 5.3.1.
                         * @enum {string}
                         */
                        reason: "unspecified" | "keyCompromise" | "affiliationChanged" | "superseded" | "cessationOfOperation";
                        /** @default false */
                        keep: boolean;
                    };
                };
            };
            responses: never;
        };
        setRedirect: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /**
                     * @description The domain as returned by listDomains.
                     * @example docs.example.com
                     */
                    domain: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * @default 301
                         * @enum {integer}
                         */
                        status: 301 | 302 | 307 | 308;
                    };
                };
            };
            responses: never;
        };
    }
}
