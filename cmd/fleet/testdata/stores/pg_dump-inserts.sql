--
-- PostgreSQL database dump
--

\restrict vxEXNgNB9mL2eCrfA4ZumMIfPUU7HhWbXeIE3oGce25E4Oaal7iKZDfoRyZmxuF

-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: terraform_remote_state; Type: SCHEMA; Schema: -; Owner: tofu
--

CREATE SCHEMA terraform_remote_state;


ALTER SCHEMA terraform_remote_state OWNER TO tofu;

--
-- Name: tf; Type: SCHEMA; Schema: -; Owner: tofu
--

CREATE SCHEMA tf;


ALTER SCHEMA tf OWNER TO tofu;

--
-- Name: global_states_id_seq; Type: SEQUENCE; Schema: public; Owner: tofu
--

CREATE SEQUENCE public.global_states_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


ALTER TABLE public.global_states_id_seq OWNER TO tofu;

SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: states; Type: TABLE; Schema: terraform_remote_state; Owner: tofu
--

CREATE TABLE terraform_remote_state.states (
    id bigint DEFAULT nextval('public.global_states_id_seq'::regclass) NOT NULL,
    name text,
    data text
);


ALTER TABLE terraform_remote_state.states OWNER TO tofu;

--
-- Name: states; Type: TABLE; Schema: tf; Owner: tofu
--

CREATE TABLE tf.states (
    id bigint DEFAULT nextval('public.global_states_id_seq'::regclass) NOT NULL,
    name text,
    data text
);


ALTER TABLE tf.states OWNER TO tofu;

--
-- Data for Name: states; Type: TABLE DATA; Schema: terraform_remote_state; Owner: tofu
--

INSERT INTO terraform_remote_state.states VALUES (1, 'default', '{"version":4,"terraform_version":"1.12.6","serial":1,"lineage":"2bde83ec-e48b-ae60-eb81-8939a7021b15","outputs":{"open":{"value":"o","type":"string"},"secret":{"value":"planted-output-s3cr3t","type":"string","sensitive":true}},"resources":[{"mode":"managed","type":"terraform_data","name":"a","provider":"provider[\"terraform.io/builtin/terraform\"]","instances":[{"index_key":0,"schema_version":0,"attributes":{"id":"1f1ef0ab-a566-c03a-b883-3437c0f312f6","input":{"value":{"name":"a0","note":"tab\there \\ back \"q\" ''single'' € line1\nline2"},"type":["object",{"name":"string","note":"string"}]},"output":{"value":{"name":"a0","note":"tab\there \\ back \"q\" ''single'' € line1\nline2"},"type":["object",{"name":"string","note":"string"}]},"triggers_replace":null},"sensitive_attributes":[]},{"index_key":1,"schema_version":0,"attributes":{"id":"d6a397d8-2ef2-58e1-d78a-787b531a0138","input":{"value":{"name":"a1","note":"tab\there \\ back \"q\" ''single'' € line1\nline2"},"type":["object",{"name":"string","note":"string"}]},"output":{"value":{"name":"a1","note":"tab\there \\ back \"q\" ''single'' € line1\nline2"},"type":["object",{"name":"string","note":"string"}]},"triggers_replace":null},"sensitive_attributes":[]},{"index_key":2,"schema_version":0,"attributes":{"id":"82f3a188-5c79-96f5-a6b9-16993347fc1d","input":{"value":{"name":"a2","note":"tab\there \\ back \"q\" ''single'' € line1\nline2"},"type":["object",{"name":"string","note":"string"}]},"output":{"value":{"name":"a2","note":"tab\there \\ back \"q\" ''single'' € line1\nline2"},"type":["object",{"name":"string","note":"string"}]},"triggers_replace":null},"sensitive_attributes":[]}]},{"mode":"managed","type":"terraform_data","name":"k","provider":"provider[\"terraform.io/builtin/terraform\"]","instances":[{"index_key":"q\"t","schema_version":0,"attributes":{"id":"481ee076-3b02-4952-bbfd-77ff1843d910","input":{"value":"planted-q\"t-s3cr3t","type":"string"},"output":{"value":"planted-q\"t-s3cr3t","type":"string"},"triggers_replace":null},"sensitive_attributes":[[{"type":"get_attr","value":"input"}]]},{"index_key":"x","schema_version":0,"attributes":{"id":"af0a81e1-5d4d-e62d-44d4-e4ddb83e591f","input":{"value":"planted-x-s3cr3t","type":"string"},"output":{"value":"planted-x-s3cr3t","type":"string"},"triggers_replace":null},"sensitive_attributes":[[{"type":"get_attr","value":"input"}]]},{"index_key":"y.z","schema_version":0,"attributes":{"id":"1842b53e-1765-3799-0e88-c0bad8edec18","input":{"value":"planted-y.z-s3cr3t","type":"string"},"output":{"value":"planted-y.z-s3cr3t","type":"string"},"triggers_replace":null},"sensitive_attributes":[[{"type":"get_attr","value":"input"}]]}]}],"check_results":null}
');
INSERT INTO terraform_remote_state.states VALUES (2, 'prod', '{"version":4,"terraform_version":"1.12.6","serial":2,"lineage":"a73748a4-49dc-a66f-5817-301e1e2085da","outputs":{"open":{"value":"o","type":"string"},"secret":{"value":"planted-output-s3cr3t","type":"string","sensitive":true}},"resources":[{"mode":"managed","type":"terraform_data","name":"a","provider":"provider[\"terraform.io/builtin/terraform\"]","instances":[{"index_key":0,"schema_version":0,"attributes":{"id":"83cf0e0f-2dc8-e621-9a59-8f05b8057958","input":{"value":{"name":"a0","note":"tab\there \\ back \"q\" ''single'' € line1\nline2"},"type":["object",{"name":"string","note":"string"}]},"output":{"value":{"name":"a0","note":"tab\there \\ back \"q\" ''single'' € line1\nline2"},"type":["object",{"name":"string","note":"string"}]},"triggers_replace":null},"sensitive_attributes":[]}]},{"mode":"managed","type":"terraform_data","name":"k","provider":"provider[\"terraform.io/builtin/terraform\"]","instances":[{"index_key":"q\"t","schema_version":0,"attributes":{"id":"0d15f222-6fbb-0e89-2487-1846399b00dd","input":{"value":"planted-q\"t-s3cr3t","type":"string"},"output":{"value":"planted-q\"t-s3cr3t","type":"string"},"triggers_replace":null},"sensitive_attributes":[[{"type":"get_attr","value":"input"}]]},{"index_key":"x","schema_version":0,"attributes":{"id":"aa73906f-39c6-76de-7c75-472389797c0a","input":{"value":"planted-x-s3cr3t","type":"string"},"output":{"value":"planted-x-s3cr3t","type":"string"},"triggers_replace":null},"sensitive_attributes":[[{"type":"get_attr","value":"input"}]]},{"index_key":"y.z","schema_version":0,"attributes":{"id":"dfdcd500-aa8e-5e80-3cbe-fb977d3b9a07","input":{"value":"planted-y.z-s3cr3t","type":"string"},"output":{"value":"planted-y.z-s3cr3t","type":"string"},"triggers_replace":null},"sensitive_attributes":[[{"type":"get_attr","value":"input"}]]}]}],"check_results":null}
');


--
-- Data for Name: states; Type: TABLE DATA; Schema: tf; Owner: tofu
--

INSERT INTO tf.states VALUES (4, 'default', '{
  "version": 4,
  "terraform_version": "1.11.4",
  "serial": 1,
  "lineage": "3d62aa87-b683-2454-05a2-075ed2c99c07",
  "outputs": {
    "open": {
      "value": "o",
      "type": "string"
    },
    "secret": {
      "value": "planted-output-s3cr3t",
      "type": "string",
      "sensitive": true
    }
  },
  "resources": [
    {
      "mode": "managed",
      "type": "terraform_data",
      "name": "a",
      "provider": "provider[\"terraform.io/builtin/terraform\"]",
      "instances": [
        {
          "index_key": 0,
          "schema_version": 0,
          "attributes": {
            "id": "0df1195d-8b4f-9142-0b31-5fcc56411be9",
            "input": {
              "value": {
                "name": "a0",
                "note": "tab\there \\ back \"q\" ''single'' € line1\nline2"
              },
              "type": [
                "object",
                {
                  "name": "string",
                  "note": "string"
                }
              ]
            },
            "output": {
              "value": {
                "name": "a0",
                "note": "tab\there \\ back \"q\" ''single'' € line1\nline2"
              },
              "type": [
                "object",
                {
                  "name": "string",
                  "note": "string"
                }
              ]
            },
            "triggers_replace": null
          },
          "sensitive_attributes": []
        },
        {
          "index_key": 1,
          "schema_version": 0,
          "attributes": {
            "id": "85baa675-5670-c3a2-6081-103b240e37a5",
            "input": {
              "value": {
                "name": "a1",
                "note": "tab\there \\ back \"q\" ''single'' € line1\nline2"
              },
              "type": [
                "object",
                {
                  "name": "string",
                  "note": "string"
                }
              ]
            },
            "output": {
              "value": {
                "name": "a1",
                "note": "tab\there \\ back \"q\" ''single'' € line1\nline2"
              },
              "type": [
                "object",
                {
                  "name": "string",
                  "note": "string"
                }
              ]
            },
            "triggers_replace": null
          },
          "sensitive_attributes": []
        },
        {
          "index_key": 2,
          "schema_version": 0,
          "attributes": {
            "id": "bdf08a05-611a-a7b8-ef99-572e672a03cd",
            "input": {
              "value": {
                "name": "a2",
                "note": "tab\there \\ back \"q\" ''single'' € line1\nline2"
              },
              "type": [
                "object",
                {
                  "name": "string",
                  "note": "string"
                }
              ]
            },
            "output": {
              "value": {
                "name": "a2",
                "note": "tab\there \\ back \"q\" ''single'' € line1\nline2"
              },
              "type": [
                "object",
                {
                  "name": "string",
                  "note": "string"
                }
              ]
            },
            "triggers_replace": null
          },
          "sensitive_attributes": []
        }
      ]
    },
    {
      "mode": "managed",
      "type": "terraform_data",
      "name": "k",
      "provider": "provider[\"terraform.io/builtin/terraform\"]",
      "instances": [
        {
          "index_key": "q\"t",
          "schema_version": 0,
          "attributes": {
            "id": "7834d64e-78b5-e6fa-4669-5b5836146355",
            "input": {
              "value": "planted-q\"t-s3cr3t",
              "type": "string"
            },
            "output": {
              "value": "planted-q\"t-s3cr3t",
              "type": "string"
            },
            "triggers_replace": null
          },
          "sensitive_attributes": [
            [
              {
                "type": "get_attr",
                "value": "input"
              }
            ]
          ]
        },
        {
          "index_key": "x",
          "schema_version": 0,
          "attributes": {
            "id": "55e2b8e6-caec-207c-ceb5-30cc49b4fe53",
            "input": {
              "value": "planted-x-s3cr3t",
              "type": "string"
            },
            "output": {
              "value": "planted-x-s3cr3t",
              "type": "string"
            },
            "triggers_replace": null
          },
          "sensitive_attributes": [
            [
              {
                "type": "get_attr",
                "value": "input"
              }
            ]
          ]
        },
        {
          "index_key": "y.z",
          "schema_version": 0,
          "attributes": {
            "id": "9edc5eae-808c-23e3-f41f-c18eb13c4f0b",
            "input": {
              "value": "planted-y.z-s3cr3t",
              "type": "string"
            },
            "output": {
              "value": "planted-y.z-s3cr3t",
              "type": "string"
            },
            "triggers_replace": null
          },
          "sensitive_attributes": [
            [
              {
                "type": "get_attr",
                "value": "input"
              }
            ]
          ]
        }
      ]
    }
  ],
  "check_results": null
}
');
INSERT INTO tf.states VALUES (5, 'prod', '{
  "version": 4,
  "terraform_version": "1.11.4",
  "serial": 2,
  "lineage": "ab71ad42-b898-3f03-4d6f-f457c57dc4e5",
  "outputs": {
    "open": {
      "value": "o",
      "type": "string"
    },
    "secret": {
      "value": "planted-output-s3cr3t",
      "type": "string",
      "sensitive": true
    }
  },
  "resources": [
    {
      "mode": "managed",
      "type": "terraform_data",
      "name": "a",
      "provider": "provider[\"terraform.io/builtin/terraform\"]",
      "instances": [
        {
          "index_key": 0,
          "schema_version": 0,
          "attributes": {
            "id": "e8e7fb8d-1409-7116-d5f6-8201f01b890f",
            "input": {
              "value": {
                "name": "a0",
                "note": "tab\there \\ back \"q\" ''single'' € line1\nline2"
              },
              "type": [
                "object",
                {
                  "name": "string",
                  "note": "string"
                }
              ]
            },
            "output": {
              "value": {
                "name": "a0",
                "note": "tab\there \\ back \"q\" ''single'' € line1\nline2"
              },
              "type": [
                "object",
                {
                  "name": "string",
                  "note": "string"
                }
              ]
            },
            "triggers_replace": null
          },
          "sensitive_attributes": []
        }
      ]
    },
    {
      "mode": "managed",
      "type": "terraform_data",
      "name": "k",
      "provider": "provider[\"terraform.io/builtin/terraform\"]",
      "instances": [
        {
          "index_key": "q\"t",
          "schema_version": 0,
          "attributes": {
            "id": "17020d4d-61ca-85e6-dd81-4d3ede79ae6c",
            "input": {
              "value": "planted-q\"t-s3cr3t",
              "type": "string"
            },
            "output": {
              "value": "planted-q\"t-s3cr3t",
              "type": "string"
            },
            "triggers_replace": null
          },
          "sensitive_attributes": [
            [
              {
                "type": "get_attr",
                "value": "input"
              }
            ]
          ]
        },
        {
          "index_key": "x",
          "schema_version": 0,
          "attributes": {
            "id": "bb3f2f8d-7337-2721-9662-9dd7c22c684f",
            "input": {
              "value": "planted-x-s3cr3t",
              "type": "string"
            },
            "output": {
              "value": "planted-x-s3cr3t",
              "type": "string"
            },
            "triggers_replace": null
          },
          "sensitive_attributes": [
            [
              {
                "type": "get_attr",
                "value": "input"
              }
            ]
          ]
        },
        {
          "index_key": "y.z",
          "schema_version": 0,
          "attributes": {
            "id": "684dfa3f-bec1-bc5f-698a-f837a784c840",
            "input": {
              "value": "planted-y.z-s3cr3t",
              "type": "string"
            },
            "output": {
              "value": "planted-y.z-s3cr3t",
              "type": "string"
            },
            "triggers_replace": null
          },
          "sensitive_attributes": [
            [
              {
                "type": "get_attr",
                "value": "input"
              }
            ]
          ]
        }
      ]
    }
  ],
  "check_results": null
}
');


--
-- Name: global_states_id_seq; Type: SEQUENCE SET; Schema: public; Owner: tofu
--

SELECT pg_catalog.setval('public.global_states_id_seq', 6, true);


--
-- Name: states states_name_key; Type: CONSTRAINT; Schema: terraform_remote_state; Owner: tofu
--

ALTER TABLE ONLY terraform_remote_state.states
    ADD CONSTRAINT states_name_key UNIQUE (name);


--
-- Name: states states_pkey; Type: CONSTRAINT; Schema: terraform_remote_state; Owner: tofu
--

ALTER TABLE ONLY terraform_remote_state.states
    ADD CONSTRAINT states_pkey PRIMARY KEY (id);


--
-- Name: states states_name_key; Type: CONSTRAINT; Schema: tf; Owner: tofu
--

ALTER TABLE ONLY tf.states
    ADD CONSTRAINT states_name_key UNIQUE (name);


--
-- Name: states states_pkey; Type: CONSTRAINT; Schema: tf; Owner: tofu
--

ALTER TABLE ONLY tf.states
    ADD CONSTRAINT states_pkey PRIMARY KEY (id);


--
-- Name: states_by_name; Type: INDEX; Schema: terraform_remote_state; Owner: tofu
--

CREATE UNIQUE INDEX states_by_name ON terraform_remote_state.states USING btree (name);


--
-- Name: states_by_name; Type: INDEX; Schema: tf; Owner: tofu
--

CREATE UNIQUE INDEX states_by_name ON tf.states USING btree (name);


--
-- PostgreSQL database dump complete
--

\unrestrict vxEXNgNB9mL2eCrfA4ZumMIfPUU7HhWbXeIE3oGce25E4Oaal7iKZDfoRyZmxuF

